import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ApiClient } from './client.ts';
import { deployTemplateSite } from './template-site.ts';
import { NO_NETWORK } from './server.ts';
import { type Program, startProduct } from './server-process.ts';

const MIB = 1024 * 1024;
const CONNECTIONS = 300;
/** A body that is not whole yet: a byte is missing. */
const BODY = Buffer.alloc(MIB - 1, 'x');

let folder: string;
let product: Program;
let ada: ApiClient;
let hook: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-unproven-'));
  product = await startProduct({ DATA_DIR: folder, IC_URL: NO_NETWORK, WORKER: 'off' });
  ada = await ApiClient.signIn(product.url, 'ada');
  const deploy = await deployTemplateSite(ada);
  hook = new URL(String((await ada.post(`${deploy}/hook`, {})).body.address)).pathname;
}, 90_000);
afterAll(async () => {
  await product.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Bytes that the server has in memory. */
function memory(): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${product.child.pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}

/** Sends all of a body but its last byte, over as many connections. */
async function send(path: string, headers: readonly string[]): Promise<void> {
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${MIB}`, ...headers, '', ''];
  const { port } = new URL(product.url);
  for (let made = 0; made < CONNECTIONS; made += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write(head.join('\r\n'));
    socket.write(BODY);
    open.push(socket);
    if (made % 20 === 0) await delay(5);
  }
}

const json = 'Content-Type: application/json';
const signature = `X-Hub-Signature-256: sha256=${'0'.repeat(64)}`;

const targets: readonly [what: string, path: () => string, headers: string[]][] = [
  ['a webhook', () => hook, [json, 'X-GitHub-Event: push', signature]],
  ['a webhook, without a proof', () => hook, [json]],
  ['a webhook that does not exist', () => '/api/hooks/deploy/none', [json, signature]],
  ['the exchange of a sign-in', () => '/api/auth/exchange', [json]],
  ['a call without a session', () => '/api/canister/create', [json]],
  ['a call with a session that is none', () => '/api/canister/create', [json, 'Authorization: Bearer x']],
  ['an address that is none', () => '/api/nothing', [json]],
  ['a page that is none', () => '/nothing', [json]],
];

test.each(targets)('bodies to %s are not kept before their sender is known', async (_what, path, headers) => {
  const idle = memory();
  await send(path(), headers);
  let most = 0;
  for (let look = 0; look < 20; look += 1) {
    const start = performance.now();
    expect((await fetch(`${product.url}/api/health`)).status).toBeLessThan(600);
    expect(performance.now() - start).toBeLessThan(2000);
    most = Math.max(most, memory() - idle);
    await delay(100);
  }
  expect(most / MIB).toBeLessThan(130);
});
