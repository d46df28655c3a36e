import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

const MIB = 1024 * 1024;
let server: Server;
let url: string;
let sent = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    sent = 0;
    if (request.url === '/announced')
      return void response.writeHead(200, { 'content-length': 9 * MIB }).write('x');
    if (request.url === '/short') return void response.writeHead(202, { 'x-kind': 'short' }).end('answer');
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      response.once('drain', more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('an answer of the network comes as it is', async () => {
  const answer = await boundedFetch(`${url}/short`);
  expect([answer.status, answer.headers.get('x-kind'), await answer.text()]).toEqual([
    202,
    'short',
    'answer',
  ]);
});

test.each(['announced', 'endless'])('one that is too long, %s, is not read to its end', async (kind) => {
  await expect(boundedFetch(`${url}/${kind}`)).rejects.toThrow('more than 8388608 bytes');
  expect(sent).toBeLessThan(32 * MIB);
});
