import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { StateStamp } from '@cannery/replica/messages';
import { KEEP_ALIVE_MILLIS } from '../../http/transport/keep-alive.ts';
import { parseInTurns } from '../../http/transport/parse-in-turns.ts';
import { exchange } from '../../../test/damaged-requests.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { KeptLimits } from './shelves.ts';

const MEBIBYTE = 1024 * 1024;
const LIMITS: KeptLimits = {
  bytes: { all: 4 * MEBIBYTE, canister: MEBIBYTE },
  answers: { all: 2_000, canister: 100 },
  bodyBytes: 256 * 1024,
};
const STAMP: StateStamp = { slot: 0, count: 0 };
let now = 0n;
let ended: StateStamp | undefined;
let kept: KeptAnswers;
/** What the next request is answered with. */
let respond: (request: IncomingMessage, response: ServerResponse) => void;

const server = createServer((request, response) => {
  const answer = kept.forRequest(request);
  if (answer) return answer.sendBy(response);
  respond(request, response);
});
server.keepAliveTimeout = KEEP_ALIVE_MILLIS;
server.on('connection', (socket: Socket) => parseInTurns(socket, kept));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  now = 0n;
  ended = undefined;
  const engine = { isCurrent: (stamp: StateStamp) => stamp !== ended };
  kept = new KeptAnswers({ engine, now: () => now }, LIMITS);
});
afterEach(() => kept[Symbol.dispose]());

/** Answers what the path says: `/<canister>/<file>/<bytes of the body>`, and keeps it. */
function keep(headers: Record<string, string> = {}, status = 200, untilNanos = 100n, stamp = STAMP): void {
  respond = ({ url = '' }, response) => {
    const [, canister = '', , size = '5'] = url.split('/');
    const body = Buffer.alloc(Number(size), 'x');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('content-length', body.length);
    response.statusCode = status;
    kept.keep(response, { canister, lasting: { stamp, untilNanos }, body });
    response.setHeader('x-made', 'now');
    response.end(body);
  };
}

const port = (): number => (server.address() as AddressInfo).port;
const get = (path: string, ...lines: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
/** The answers to requests, one after the other on one connection. */
async function answers(...requests: readonly string[]): Promise<string[]> {
  const socket = connect(port(), '127.0.0.1');
  const all: string[] = [];
  for (const request of requests) {
    socket.write(request, 'latin1');
    let text = '';
    while (!isWhole(text)) text += ((await once(socket, 'data')) as [Buffer])[0].toString('latin1');
    all.push(text);
  }
  socket.destroy();
  return all;
}
function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return rest.length > 0 && rest.join('\r\n\r\n').length >= length;
}
const isMade = (answer: string): boolean => /^x-made: now/im.test(answer);
/** Whether each was made for its request; others were kept. */
const made = async (...requests: readonly string[]): Promise<boolean[]> =>
  (await answers(...requests)).map(isMade);

test('an answer is sent again to the same request only, past the server or by it', async () => {
  keep({ etag: '"a"', 'content-type': 'text/plain' });
  const [first, ...others] = await answers(get('/a/1'), get('/a/1'), get('/a/1'));
  const withoutDate = (text = ''): string[] =>
    text
      .split('\r\n')
      .filter((line) => !/^(date|x-made):/i.test(line))
      .map((line) => line.replace(/^[\w-]+:/, (name) => name.toLowerCase()));
  for (const other of others) expect(withoutDate(other)).toEqual(withoutDate(first));
  expect(others.map((text) => /^date: (.{29})\r$/im.test(text))).toEqual([true, true]);
  // The first request of a connection goes to the server.
  expect(await made(get('/a/1'), get('/a/2'), get('/a/1', 'Accept: x'), get('/a/2'))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(
    await made(get('/a/1', 'X-Forwarded-For: 10.0.0.1'), get('/a/1', 'X-Forwarded-For: 10.0.0.2')),
  ).toEqual([false, false]);
});

test('one that asks for the end of its connection gets it', async () => {
  keep();
  const close = get('/a/1', 'Connection: close');
  for (const isKept of [false, true]) {
    const socket = connect(port(), '127.0.0.1');
    const [answer = ''] = await exchange(socket, [close]);
    expect([isKept, answer]).toEqual([isKept, '200 xxxxx']);
  }
  expect(kept.held.answers).toBe(1);
  const old = get('/a/2').replace('HTTP/1.1', 'HTTP/1.0');
  for (let count = 0; count < 2; count += 1)
    expect(await exchange(connect(port(), '127.0.0.1'), [old])).toEqual(['200 xxxxx']);
});

test('nothing is sent behind an answer that ends its connection', async () => {
  keep();
  await answers(get('/a/1'));
  const socket = connect(port(), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.write(get('/b/1', 'Connection: close') + get('/a/1').repeat(20));
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
});

test('a head has an answer without a body', async () => {
  keep();
  const request = get('/a/1/1000').replace('GET', 'HEAD');
  const socket = connect(port(), '127.0.0.1');
  respond = (_request, response) => {
    response.setHeader('content-length', 1_000);
    kept.keep(response, { canister: 'a', lasting: { stamp: STAMP, untilNanos: 9n }, body: new Uint8Array() });
    response.end();
  };
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  for (let count = 1; count < 4; count += 1) {
    socket.write(request);
    await vi.waitUntil(() => text.split('\r\n\r\n').length === count + 1, { interval: 1 });
  }
  socket.destroy();
  expect(text.match(/content-length: 1000/gi)).toHaveLength(3);
  expect(text).not.toContain('xxx');
});

test('the date is that of the second in which it is sent, unless the canister gives one', async () => {
  keep();
  const dateOf = (text = ''): number => Date.parse(/^date: (.*)\r$/im.exec(text)?.[1] ?? '');
  const [first] = await answers(get('/a/1'));
  await vi.waitUntil(() => Math.floor(Date.now() / 1_000) * 1_000 > dateOf(first) + 1_000, {
    timeout: 5_000,
  });
  const [again, bypassed] = await answers(get('/a/1'), get('/a/1'));
  expect(dateOf(again)).toBeGreaterThan(dateOf(first));
  expect(dateOf(bypassed)).toBeGreaterThan(dateOf(first));
  keep({ date: 'Wed, 21 Oct 2015 07:28:00 GMT' });
  for (const text of await answers(get('/a/2'), get('/a/2')))
    expect(text.match(/^date: .*/gim)).toEqual([expect.stringContaining('2015')]);
});

test("nothing is kept of a request that is one visitor's, or of an answer that is not for all", async () => {
  keep();
  for (const line of ['Cookie: a=b', 'Authorization: x', 'Content-Length: 0', 'A: \u00ff', 'Upgrade: h2c'])
    expect([line, ...(await made(get('/a/1', line), get('/a/1', line)))]).toEqual([line, true, true]);
  const notForAll: readonly Record<string, string>[] = [
    { 'cache-control': 'no-store' },
    { 'cache-control': 'max-age=1, Private' },
    { vary: '*' },
    { vary: 'Accept, X-Forwarded-For' },
  ];
  for (const headers of notForAll) {
    keep(headers);
    expect([headers, ...(await made(get('/a/1'), get('/a/1')))]).toEqual([headers, true, true]);
  }
  keep();
  const large = get(`/a/1/${LIMITS.bodyBytes + 1}`);
  expect(await made(large, large)).toEqual([true, true]);
  const long = get(`/${'a'.repeat(5_000)}`);
  expect(await made(long, long)).toEqual([true, true]);
  expect(kept.held).toEqual({ bytes: 0, answers: 0, canisters: 0 });
});

test('it is not sent once the canister has changed, or its certificate is old', async () => {
  keep();
  expect(await made(get('/a/1'), get('/a/1'))).toEqual([true, false]);
  ended = STAMP;
  expect(await made(get('/a/1'), get('/a/1'))).toEqual([true, true]);
  ended = undefined;
  expect(await made(get('/a/1'), get('/a/1'))).toEqual([false, false]);
  now = 100n;
  keep({}, 200, 200n);
  expect(await made(get('/a/1'), get('/a/1'))).toEqual([true, false]);
  now = 200n;
  kept.sweep();
  expect(kept.held).toEqual({ bytes: 0, answers: 0, canisters: 0 });
});

test('a site that is asked for very many things has no more than its share, and pushes nobody out', async () => {
  keep();
  const small = Array.from({ length: 20 }, (_, index) => get(`/small/${index}/1000`));
  await answers(...small);
  for (let round = 0; round < 30; round += 1)
    await answers(...Array.from({ length: 100 }, (_, index) => get(`/large/${round}-${index}/50000`)));
  expect(kept.held.bytes).toBeLessThan(LIMITS.bytes.canister + 20 * 5_000);
  expect(kept.held.answers).toBeLessThan(LIMITS.answers.canister + 20);
  expect(await made(...small)).toEqual(small.map(() => false));
});

test('ten thousand sites stay within the bound; those that have most give way', async () => {
  keep();
  const mine = get('/mine/page/3000');
  await answers(mine);
  for (let hog = 0; hog < 6; hog += 1)
    await answers(...Array.from({ length: 60 }, (_, index) => get(`/hog${hog}/${index}/16000`)));
  expect(kept.held.bytes).toBeGreaterThan(3 * MEBIBYTE);
  for (let first = 0; first < 10_000; first += 500) {
    const sites = Array.from({ length: 500 }, (_, index) => get(`/site${first + index}/page/1000`));
    await answers(...sites, mine);
    expect(kept.held.bytes).toBeLessThanOrEqual(LIMITS.bytes.all);
    expect(kept.held.answers).toBeLessThanOrEqual(LIMITS.answers.all);
    expect(kept.held.canisters).toBeLessThanOrEqual(kept.held.answers);
  }
  // The newest came in, each with little, and the large ones gave way first.
  expect(await made(get('/site9999/page/1000'), mine)).toEqual([false, false]);
  const hogs = await made(...Array.from({ length: 60 }, (_, index) => get(`/hog0/${index}/16000`)));
  expect(hogs.filter(Boolean).length).toBeGreaterThan(30);
}, 60_000);

test('of one site those stay that are used', async () => {
  keep();
  const used = get('/a/used/1000');
  await answers(used);
  for (let index = 0; index < 300; index += 1) await answers(get(`/a/${index}/1000`), used);
  expect(await made(used)).toEqual([false]);
  expect(kept.held.answers).toBeLessThanOrEqual(LIMITS.answers.canister);
});

test('what clients have not taken counts for its site until they have, or are gone', async () => {
  keep();
  const files = Array.from({ length: 12 }, (_, index) => get(`/a/${index}/200000`));
  const sockets: Socket[] = [];
  for (const file of files) {
    const socket = connect(port(), '127.0.0.1');
    sockets.push(socket);
    socket.write(file);
    await once(socket, 'data');
    socket.pause();
    // More than the system keeps for a connection.
    socket.write(file.repeat(60));
  }
  await vi.waitFor(() => expect(kept.held.bytes).toBeGreaterThan(700_000));
  for (const index of Array.from({ length: 20 }).keys()) await answers(get(`/a/more${index}/200000`));
  expect(kept.held.bytes).toBeLessThanOrEqual(LIMITS.bytes.canister);
  await answers(get('/b/1/200000'), get('/b/2/200000'));
  expect(await made(get('/b/1/200000'))).toEqual([false]);
  for (const socket of sockets) socket.destroy();
  ended = STAMP;
  for (const file of [...files, get('/b/1/200000'), get('/b/2/200000')]) kept.find(file);
  for (const index of Array.from({ length: 20 }).keys()) kept.find(get(`/a/more${index}/200000`));
  await vi.waitFor(() => expect(kept.held).toEqual({ bytes: 0, answers: 0, canisters: 0 }));
});
