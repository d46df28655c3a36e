import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from './server.ts';
import type { NetworkService } from './endpoints/service.ts';

let server: HttpServer;

beforeAll(async () => {
  // None of these requests gets as far as the service.
  const service = {} as NetworkService;
  const pages = { handle: async (): Promise<void> => undefined };
  const timeouts = { headers: 300, request: 600, check: 50 };
  server = await startHttpServer(service, pages, { host: '127.0.0.1', port: 0 }, timeouts);
});
afterAll(() => server.close());

test.each([
  ['half a header', 'POST /api/v2/canister/aaaaa-aa/call HTTP/1.1\r\nhost: x\r\nx-slow'],
  [
    'half a body',
    'POST /api/v2/canister/aaaaa-aa/call HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n12345',
  ],
])(
  'a connection that stops after %s is dropped',
  async (_name, text) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    socket.write(text);
    await once(socket, 'close');
  },
  // Before the limits that hold without those given above.
  15_000,
);

test('what is no HTTP is answered with 400', async () => {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  socket.write('\0\0\0 hello\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1.1 400/);
});
