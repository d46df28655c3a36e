import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/http-server.ts';
import { reach } from './reach.ts';

test.each<[number, unknown, boolean]>([
  [200, {}, true],
  [404, { error: 'There is nothing.' }, true],
  [429, { error: 'Too many.' }, true],
  [500, '<html>', true],
  [503, { error: 'The database is away.' }, true],
  [502, '<html>Bad gateway</html>', false],
  [503, '<html>Service unavailable</html>', false],
  [504, '', false],
])(
  'an answer with status %i and the body %j means that the service is there: %s',
  async (status, body, isThere) => {
    await using server = await startTestServer(() => ({
      status,
      body,
      type: typeof body === 'string' ? 'text/html' : 'application/json',
    }));
    expect(await reach(server.base, 1_000, { mode: 'cors' })).toBe(isThere);
    expect(server.seen).toMatchObject([{ method: 'HEAD', url: '/api/config' }]);
  },
);

test('a service that is not there, or does not answer in time, is not reached', async () => {
  const gone = await startTestServer(() => ({ body: {} }));
  await gone[Symbol.asyncDispose]();
  expect(await reach(gone.base, 1_000)).toBe(false);
  await using silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  expect(await reach(`http://127.0.0.1:${port}`, 200)).toBe(false);
  silent.closeAllConnections();
});

test('[AUTH-15] the question carries the bearer token, where a page may send one', async () => {
  await using server = await startTestServer(() => ({ body: {} }));
  await reach(server.base, 1_000, { token: 'bread', mode: 'cors' });
  await reach(server.base, 1_000, { token: 'bread', mode: 'no-cors' });
  await reach(server.base, 1_000, { mode: 'cors' });
  expect(server.seen.map(({ authorization }) => authorization)).toEqual([
    'Bearer bread',
    undefined,
    undefined,
  ]);
});
