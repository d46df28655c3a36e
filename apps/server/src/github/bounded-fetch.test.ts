import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BoundedFetch, createBoundedFetch, MovedError } from './bounded-fetch.ts';

const certificate = (end: string): string =>
  fileURLToPath(new URL(`../../../../packages/dev-env/certificates/localhost.${end}`, import.meta.url));

/** What the host answers, byte for byte. */
let answer = '';
const host = createServer(
  { cert: readFileSync(certificate('crt')), key: readFileSync(certificate('key')) },
  (socket) => void socket.on('error', () => undefined).once('data', () => socket.end(answer)),
);
let origin: string;
let ask: BoundedFetch;

beforeAll(async () => {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  origin = `https://localhost:${(host.address() as AddressInfo).port}`;
  ask = await createBoundedFetch({ origins: [origin], caFile: certificate('crt') });
});
afterAll(() => host.close());

test('an answer is read with its status, headers and address', async () => {
  answer = 'HTTP/1.1 201 Made\r\nx-a: 1\r\nx-a: 2\r\n\r\nbody';
  const response = await ask(`${origin}/x`);
  expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([
    201,
    '1, 2',
    'body',
  ]);
  expect(response.url).toBe(`${origin}/x`);
});

test.each(['099 Odd', '600 Odd', '999 Odd'])(
  '%s, which no answer may say, is an error of that request',
  async (line) => {
    answer = `HTTP/1.1 ${line}\r\n\r\nodd`;
    await expect(ask(`${origin}/`)).rejects.toThrow(RangeError);
  },
);

test('it follows nothing, and asks nobody else', async () => {
  answer = 'HTTP/1.1 302 Found\r\nlocation: https://other.example/\r\n\r\n';
  await expect(ask(`${origin}/`)).rejects.toThrow(MovedError);
  await expect(ask('https://other.example/')).rejects.toThrow('is not asked');
});
