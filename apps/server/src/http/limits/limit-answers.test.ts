import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { testHttpApp } from '../http-app.testing.ts';

const MIB = 1024 * 1024;
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function start(bytes: number, answerMs?: number): Promise<number> {
  const { app, port } = await testHttpApp(answerMs === undefined ? {} : { answerMs });
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

test('an answer whose reader went away before it was made takes no room', async () => {
  const { app, port } = await testHttpApp();
  open.push(() => app.close());
  const made = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  app.get('/large', async () => 'x'.repeat(10 * MIB));
  app.get('/late', async (_request, reply) => {
    reply.raw.once('close', gone.resolve);
    await made.promise;
    return 'x'.repeat(10 * MIB);
  });
  await app.ready();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n', () => setTimeout(() => socket.destroy(), 100));
  await gone.promise;
  made.resolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await fetch(`http://127.0.0.1:${port}/large`)).status).toBe(200);
});
