import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Gate } from '../fairness/gate.ts';
import { listen } from '../listen.ts';
import { createLogger } from '../logger.ts';
import { createHttpApp } from './create-app.ts';

const MIB = 1024 * 1024;
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function start(bytes: number, answerMs?: number): Promise<number> {
  const { server, port } = await listen('127.0.0.1', 0);
  const app = await createHttpApp({
    server,
    log: createLogger({ logLevel: 'silent' }),
    called: { network: 'http://127.0.0.1:9', api: undefined },
    gate: new Gate({ callsPerSecond: 10_000, signInsPerMinute: 100 }),
    trustProxy: false,
    servesHost: () => true,
    ...(answerMs === undefined ? {} : { answerMs }),
  });
  app.get('/large', async () => 'x'.repeat(bytes));
  app.get('/small', async () => 'well');
  await app.ready();
  open.push(() => app.close());
  return port;
}

/** Somebody who asks and reads nothing. */
async function idleReader(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  open.push(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

test('answers that nobody reads are kept up to a bound, and there is room again when their readers go', async () => {
  const port = await start(10 * MIB);
  const before = process.memoryUsage.rss();
  const readers = await Promise.all(Array.from({ length: 60 }, () => idleReader(port)));
  const status = async (path: string): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  await expect.poll(() => status('/large')).toBe(429);
  expect(await status('/small')).toBe(200);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MIB);
  for (const reader of readers) reader.destroy();
  await expect.poll(() => status('/large')).toBe(200);
});

test('an answer that is larger than the bound is answered where there is no other', async () => {
  const port = await start(6 * MIB);
  const answer = await fetch(`http://127.0.0.1:${port}/large`);
  expect([answer.status, (await answer.text()).length]).toEqual([200, 6 * MIB]);
});

test('who takes no answer is left after a while', async () => {
  const port = await start(20 * MIB, 300);
  const reader = await idleReader(port);
  await expect.poll(() => reader.bytesRead).toBeGreaterThan(0);
  // What has come is read; the rest never comes.
  const ended = once(reader, 'close');
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/large`)).status).toBe(200);
  reader.resume();
  await ended;
  expect(reader.bytesRead).toBeLessThan(20 * MIB);
});
