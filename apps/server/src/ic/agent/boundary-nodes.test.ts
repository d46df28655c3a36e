import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { BoundaryNodes } from './boundary-nodes.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A node that answers as it is told, and the bodies that have come to it. */
async function node(listener: RequestListener): Promise<{ url: string; bodies: string[]; end(): void }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, end };
}

/** An address at which nobody answers. */
let nobody: string;
beforeAll(async () => {
  const ended = await node(works);
  nobody = ended.url;
  ended.end();
});

const works: RequestListener = (_request, response) => response.end('here');
const TIMEOUT_MS = 2_000;
const call = { method: 'POST', body: Buffer.from('signed') };

async function textOf(nodes: BoundaryNodes, onRepeat = (): void => undefined): Promise<string> {
  const answer = await nodes.fetch(`${nodes.host}/api/v3/canister/aaaaa-aa/call`, call, {
    timeoutMs: TIMEOUT_MS,
    onRepeat,
  });
  return `${answer.status} ${await answer.text()}`;
}

test.each([
  ['has no network behind it', (_request, response) => response.writeHead(503).end('away')],
  ['ends the connection', (request) => request.socket.destroy()],
  ['is silent', () => undefined],
] satisfies [string, RequestListener][])(
  'a node that %s: the next one gets the same request',
  async (_what, fails) => {
    const [first, second] = [await node(fails), await node(works)];
    let repeats = 0;
    const onRepeat = (): void => void (repeats += 1);
    expect(await textOf(new BoundaryNodes([first.url, second.url]), onRepeat)).toBe('200 here');
    expect(repeats).toBe(1);
    expect([first.bodies, second.bodies]).toEqual([['signed'], ['signed']]);
  },
);

test('what a node answers is its answer, also a refusal', async () => {
  const first = await node((_request, response) => response.writeHead(400).end('no'));
  const second = await node(works);
  expect(await textOf(new BoundaryNodes([first.url, second.url]))).toBe('400 no');
  expect(second.bodies).toEqual([]);
});

test('a node that failed is asked last for half a minute, then first again', async () => {
  const [first, second] = [await node(works), await node(works)];
  let now = 0;
  const nodes = new BoundaryNodes([nobody, first.url, second.url], () => now);
  for (const _call of [1, 2, 3]) expect(await textOf(nodes)).toBe('200 here');
  expect([first.bodies.length, second.bodies.length]).toEqual([3, 0]);

  first.end();
  expect(await textOf(nodes)).toBe('200 here');
  expect(second.bodies).toHaveLength(1);
  now = 30_001;
  // Both others are tried again.
  expect(await textOf(nodes)).toBe('200 here');
  expect(second.bodies).toHaveLength(2);
});

test('where none answers, the last one says why', async () => {
  const [first, second] = [
    await node((request) => request.socket.destroy()),
    await node((_request, response) => response.writeHead(502).end('gone')),
  ];
  const nodes = new BoundaryNodes([first.url, second.url]);
  expect(await textOf(nodes)).toBe('502 gone');
  expect(await nodes.isUp()).toBe(false);
});

test('an answer that is too long is not asked for at another node', async () => {
  const first = await node((_request, response) => response.end(Buffer.alloc(9 * 1024 * 1024)));
  const second = await node(works);
  await expect(textOf(new BoundaryNodes([first.url, second.url]))).rejects.toThrow(RangeError);
  expect(second.bodies).toEqual([]);
});

test('a node to which there is no connection has taken nothing', async () => {
  const second = await node(works);
  let repeats = 0;
  const nodes = new BoundaryNodes([nobody, second.url]);
  expect(await textOf(nodes, () => void (repeats += 1))).toBe('200 here');
  expect(repeats).toBe(0);
});

test('it is up while one of them is', async () => {
  const up = await node(works);
  expect(await new BoundaryNodes([nobody, up.url]).isUp()).toBe(true);
});
