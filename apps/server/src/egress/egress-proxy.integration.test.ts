import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { GitError, gitText } from '../git/repository/run-git.ts';
import type { Logger } from '../log/logger.ts';
import { type EgressProxy, startEgressProxy } from './egress-proxy.ts';
import { gitEgress } from './hosts.ts';

const log = { warn: () => undefined } as unknown as Logger;
let proxy: EgressProxy;
let canary: Server;
let canaryPort: number;
let reached = 0;

beforeAll(async () => {
  proxy = startEgressProxy({ log });
  canary = createHttpServer((_, response) => {
    reached += 1;
    response.end('reached');
  }).listen(0, '127.0.0.1');
  canary.on('connection', () => (reached += 1));
  await once(canary, 'listening');
  canaryPort = (canary.address() as AddressInfo).port;
});
afterAll(async () => {
  await proxy.close();
  canary.close();
});

/** Answers the first line a proxy at a socket file says to a request. */
async function ask(socket: string, request: string): Promise<string> {
  const asking = connect(socket);
  asking.write(`${request}\r\n\r\n`);
  const [answer] = (await once(asking, 'data')) as [Buffer];
  asking.destroy();
  return String(answer).split('\r\n')[0] ?? '';
}

async function output(args: string[], env: Record<string, string>): Promise<string> {
  try {
    return await gitText(args, { env, timeoutMs: 20_000 });
  } catch (error) {
    if (error instanceof GitError) return error.output;
    throw error;
  }
}

test('a git of the server goes through it, with its token, and reaches only the list', async () => {
  const notes: string[] = [];
  const hosts = gitEgress({
    gitHosts: [{ name: 'git.example.invalid', port: 443 }],
    hosts: [],
    privateHosts: [],
  });
  const way = await proxy.open({ hosts, at: 'loopback', onNote: (note) => notes.push(note) });
  const env = { https_proxy: way.address };
  expect(await output(['ls-remote', '--', 'https://git.example.invalid/a/b'], env)).toMatch(/response 421/);
  expect(await output(['ls-remote', '--', `https://127.0.0.1:${canaryPort}/a/b`], env)).toMatch(
    /response 403/,
  );
  const stranger = { https_proxy: way.address.replace(/\/\/[^@]*@/, '//') };
  expect(await output(['ls-remote', '--', 'https://git.example.invalid/a/b'], stranger)).toMatch(
    /response 407/,
  );
  await vi.waitFor(() => expect(notes).toHaveLength(2));
  expect(notes[0]).toMatch(/^The git host git\.example\.invalid cannot be reached from this machine/);
  expect(notes[1]).toContain(`127.0.0.1:${canaryPort} was refused`);
  await way.close();
  expect(await output(['ls-remote', '--', 'https://git.example.invalid/a/b'], env)).toMatch(
    /Failed to connect/,
  );
  expect(reached).toBe(0);
});

test('each way has its list, and starts the process again should it have died', async () => {
  const plain = {
    name: '127.0.0.1',
    port: canaryPort,
    plain: true,
    mayBePrivate: true,
    what: 'registry',
  } as const;
  const [open, shut] = await Promise.all([
    proxy.open({ hosts: [plain], at: 'socket' }),
    proxy.open({ hosts: [], at: 'socket' }),
  ]);
  const request = `GET http://127.0.0.1:${canaryPort}/ HTTP/1.1\r\nHost: x`;
  expect(await ask(shut.address, request)).toBe('HTTP/1.1 403 Forbidden');
  expect(await ask(open.address, request)).toBe('HTTP/1.1 200 OK');
  await Promise.all([open.close(), shut.close()]);
  expect(readdirSync(dirname(open.address))).toEqual([]);

  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const pid = children.find((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('egress-process'));
  process.kill(Number(pid), 'SIGKILL');
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}/fd`)).toBe(false));
  const again = await proxy.open({ hosts: [], at: 'socket' });
  expect(await ask(again.address, request)).toBe('HTTP/1.1 403 Forbidden');
});
