import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asServer } from '../pinned.ts';

/** Where distributions put it, which is not on every PATH. */
const SYSTEM_NGINX = '/usr/sbin/nginx';

/** The nginx of this machine, if it has one. */
export function findNginx(): string | undefined {
  if (spawnSync('nginx', ['-v']).status === 0) return 'nginx';
  return existsSync(SYSTEM_NGINX) ? SYSTEM_NGINX : undefined;
}

export interface Nginx extends AsyncDisposable {
  readonly url: string;
}

/** One worker that serves these files as fast as it can, on the server's core. */
export async function startNginx(
  program: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-nginx-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const port = await freePort();
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, configurationOf(folder, port));
  const [command, args] = asServer(false, program, ['-e', join(folder, 'error.log'), '-c', configuration]);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 50 && !(await answers(url)); tries += 1) await delay(100);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configurationOf(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  open_file_cache max=100;
  keepalive_requests 1000000000;
  default_type application/octet-stream;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    etag on;
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
