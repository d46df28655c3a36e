import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../context.ts';
import { DoorClient } from '../../git/remote/door-client.ts';
import { addPassedGitRoutes } from './pass-git.ts';

/** What came at the git role, a request each. */
const arrived: string[] = [];
let role: Server;
let api: FastifyInstance;
let door: DoorClient;

beforeAll(async () => {
  role = createServer((asked, answer) => {
    const pieces: Buffer[] = [];
    asked.on('data', (piece: Buffer) => pieces.push(piece));
    asked.on('end', () => {
      arrived.push(`${asked.method} ${asked.url} ${Buffer.concat(pieces).length}`);
    });
    answer.end('answered');
  });
  await once(role.listen(0, '127.0.0.1'), 'listening');
  const home = {
    folder: 'folder',
    url: `http://127.0.0.1:${(role.address() as AddressInfo).port}`,
    served: true,
  };
  const selecting: unknown = new Proxy(() => selecting, {
    get: (_target, name) => (name === 'executeTakeFirst' ? async () => home : selecting),
    apply: () => selecting,
  });
  door = new DoorClient(selecting as ConstructorParameters<typeof DoorClient>[0], {
    signing: () => Buffer.alloc(32),
  });
  const ctx = {
    callLimiter: { identify: async () => ({ id: 'user', username: 'ada', tokenId: 'token' }) },
    security: { note: () => undefined, noteUse: () => undefined },
    transact: async () => undefined,
    addresses: { publicUrl: 'http://localhost' },
    log: { error: () => undefined },
  };
  api = fastify({ bodyLimit: 16 * 1024 });
  await addPassedGitRoutes(api, ctx as unknown as AppContext, door);
  await api.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await api?.close();
  door?.close();
  role?.close();
  role?.closeAllConnections();
});

/** @returns status and text of the answer */
function send(method: string, path: string, headers: Record<string, string>, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { port } = api.server.address() as AddressInfo;
  const authorization = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  const sent = request(
    { host: '127.0.0.1', port, method, path, agent: false, headers: { ...headers, authorization } },
    (answer) => {
      answer
        .toArray()
        .then((pieces) => resolve(`${answer.statusCode} ${Buffer.concat(pieces).toString()}`), reject);
    },
  );
  sent.setTimeout(2_000, () => sent.destroy(new Error('There was no answer.')));
  sent.once('error', reject).end(body);
  return promise;
}

const LIST = '/ada/site.git/info/refs?service=git-upload-pack';
const OBJECT = '/ada/site.git/info/lfs/objects/a/1';

test.each([LIST, OBJECT])(
  'the body of a GET of %s, which nobody passes on, is not taken out of the request of somebody else',
  async (path) => {
    for (const bytes of [7, 40, 2_000]) {
      expect(await send('GET', path, { 'content-length': String(bytes) }, 'x'.repeat(bytes))).toBe(
        '200 answered',
      );
      expect(await send('GET', LIST, {}, ''), `behind ${bytes} bytes`).toBe('200 answered');
    }
    expect(await send('GET', path, { 'transfer-encoding': 'chunked' }, 'x'.repeat(40))).toBe('200 answered');
    expect(await send('GET', LIST, {}, '')).toBe('200 answered');
  },
);

test('bodies that are passed on arrive whole, whether their length is announced or not', async () => {
  arrived.length = 0;
  const path = '/ada/site.git/git-upload-pack';
  await send('POST', path, { 'content-length': '5000' }, 'x'.repeat(5_000));
  await send('POST', path, { 'transfer-encoding': 'chunked' }, 'x'.repeat(6_000));
  await send('POST', path, {}, '');
  await send('PUT', OBJECT, { 'content-length': '7000' }, 'x'.repeat(7_000));
  await expect.poll(() => arrived).toHaveLength(4);
  expect(arrived).toEqual([
    `POST /internal/git/for${path} 5000`,
    `POST /internal/git/for${path} 6000`,
    `POST /internal/git/for${path} 0`,
    `PUT /internal/git/for${OBJECT} 7000`,
  ]);
});
