import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ConnectionLimits } from '../listen.ts';
import { testHttpApp } from './http-app.testing.ts';

const SOCKETS = 1000;
const limits = { headersMs: 400, requestMs: 60_000, checkMs: 100, headerBytes: 16_384, connections: 5_000 };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function start(connections: ConnectionLimits, bodyMs?: number): Promise<number> {
  const { app, port } = await testHttpApp({ connections, ...(bodyMs === undefined ? {} : { bodyMs }) });
  app.get('/health', async () => 'well');
  app.post('/', async () => 'taken');
  await app.ready();
  open.push(() => app.close());
  return port;
}

async function slow(port: number, text: string): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(text);
  return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

const many = (port: number, text: string) =>
  Promise.all(Array.from({ length: SOCKETS }, () => slow(port, text)));

test('a thousand connections that never end their headers: others are answered, and all thousand are closed', async () => {
  const port = await start(limits);
  const sockets = await many(port, 'GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  for (let call = 0; call < 5; call += 1) {
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe('well');
  }
  await Promise.all(sockets.map(({ closed }) => closed));
});

test('a thousand bodies that never end: others are answered, and all thousand are closed', async () => {
  const port = await start({ ...limits, headersMs: 60_000 }, 300);
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":';
  const sockets = await many(port, head);
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe('well');
  await Promise.all(sockets.map(({ closed }) => closed));
});

test('connections beyond the cap are closed at once', async () => {
  const port = await start({ ...limits, headersMs: 60_000, connections: 3 });
  const held = await Promise.all([1, 2, 3].map(() => slow(port, 'GET')));
  const over = await slow(port, 'GET');
  await over.closed;
  for (const { socket } of held) {
    expect(socket.closed).toBe(false);
    socket.destroy();
  }
});
