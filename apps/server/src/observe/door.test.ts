import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Door, openDoor } from './door.ts';

let door: Door;
beforeEach(async () => {
  door = await openDoor(
    { host: '127.0.0.1', port: 0 },
    {
      '/live': async () => ({ status: 200, type: 'text/plain', body: 'here' }),
      '/ready': async () => {
        throw new Error('hunter2');
      },
    },
  );
});
afterEach(() => door[Symbol.asyncDispose]());

function ask(path: string, options: { method?: string; host?: string } = {}): Promise<[number, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<[number, string]>();
  const { method = 'GET', host = `localhost:${door.port}` } = options;
  const call = request({ host: '127.0.0.1', port: door.port, path, method, headers: { host } }, (answer) => {
    let text = '';
    answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
    answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
  });
  call.once('error', reject).end();
  return promise;
}

test('it answers its addresses, to who may read only, and says nothing of a fault', async () => {
  expect(await ask('/live?x=1')).toEqual([200, 'here']);
  expect(await ask('/live', { method: 'HEAD' })).toEqual([200, '']);
  expect((await ask('/live', { method: 'POST' }))[0]).toBe(405);
  for (const path of ['/', '/metrics/', '/constructor', '/api/health'])
    expect((await ask(path))[0]).toBe(404);
  expect(await ask('/ready')).toEqual([500, 'This could not be found out.\n']);
});

test('a web page whose name points to loopback reads nothing', async () => {
  for (const host of ['evil.example', `evil.example:${door.port}`, 'localhost.evil.example'])
    expect((await ask('/live', { host }))[0]).toBe(421);
  for (const host of ['127.0.0.1', '[::1]:9', 'localhost'])
    expect((await ask('/live', { host }))[0]).toBe(200);
});

test('a port that is taken is a sentence for the operator', async () => {
  await expect(openDoor({ host: '127.0.0.1', port: door.port }, {})).rejects.toThrow(
    `METRICS_PORT ${door.port} is taken by another program`,
  );
});
