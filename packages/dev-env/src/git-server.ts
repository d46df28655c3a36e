import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { addSubmodules, git } from './repositories.ts';

const certificates = fileURLToPath(new URL('../certificates/', import.meta.url));

/** A git host outside the product: smart HTTP over TLS on loopback, with a certificate that it makes. */
export interface GitServer {
  /** Name and port. */
  readonly host: string;
  readonly url: string;
  /** PEM file with the certificate to trust. */
  readonly caFile: string;
  /** Paths of all requests, in order. */
  readonly requests: readonly string[];
  /** Makes files the newest commit of `main` of a repository such as 'owner/name'; answers the commit's id. */
  commit(
    repository: string,
    files: Readonly<Record<string, string>>,
    message?: string,
    submodules?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Gives a repository another branch with the commit of `main`. */
  branch(repository: string, name: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts one.
 * @param answer answers a request in place of git; true when it did
 */
export async function startGitServer(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<GitServer> {
  const root = mkdtempSync(path.join(tmpdir(), 'cannery-git-server-'));
  const requests: string[] = [];
  const caFile = path.join(certificates, 'localhost.crt');
  const tls = { cert: readFileSync(caFile), key: readFileSync(path.join(certificates, 'localhost.key')) };
  const server = createServer(tls, (request, response) => {
    requests.push(request.url ?? '');
    if (!answer(request, response)) void serve(root, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const bare = (repository: string): string => path.join(root, `${repository}.git`);

  return {
    host,
    url: `https://${host}`,
    caFile,
    requests,
    async commit(repository, files, message = `Import ${repository}`, submodules = {}) {
      const work = mkdtempSync(path.join(tmpdir(), 'cannery-commit-'));
      try {
        await git(['init', '-q', '-b', 'main'], work);
        for (const [file, content] of Object.entries(files)) {
          mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
          writeFileSync(path.join(work, file), content);
        }
        await git(['add', '-A', '-f'], work);
        await addSubmodules(work, submodules);
        await git(['commit', '-q', '-m', message], work);
        await git(['init', '-q', '--bare', '-b', 'main', bare(repository)], work);
        await git(['push', '-q', '--force', bare(repository), 'main'], work);
        return (await git(['rev-parse', 'HEAD'], work)).trim();
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
    async branch(repository, name) {
      await git(['branch', name, 'main'], bare(repository));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Answers by git's own CGI program. */
async function serve(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [file = '', query = ''] = (request.url ?? '').split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: file,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  const output = Buffer.concat(chunks);
  const end = output.indexOf('\r\n\r\n');
  const headers = output.subarray(0, end).toString('latin1').split('\r\n');
  for (const line of headers) {
    const [name = '', value = ''] = line.split(': ');
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}
