import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { agree, answersIn, atOnce, damaged, exchange, numbers } from '../../../test/damaged-requests.ts';
import type { AnswerAtHand } from './answers-at-hand.ts';
import { headOf, parseInTurns } from './parse-in-turns.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Remembers what was answered to each head, and how often it was sent past the parser. */
class Remembered {
  readonly answers = new Map<string, AnswerAtHand>();
  sent = 0;
  taken = 0;

  find(head: string): AnswerAtHand | undefined {
    return this.answers.get(head);
  }

  keep(head: string, body: Buffer): void {
    const start = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
    this.answers.set(head, {
      send: (socket, done) => {
        this.sent += 1;
        socket.write(Buffer.concat([start, body]), done);
      },
      taken: () => {
        this.taken += 1;
      },
    });
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handle: Handle, atHand?: Remembered): Promise<{ port: number; server: Server }> {
  const server = createServer({ connectionsCheckingInterval: 50 }, handle);
  server.on('connection', (socket: Socket) => parseInTurns(socket, atHand));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, server };
}

const bodyOf = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await request.toArray()).toString('latin1');

/** Says what it was asked; what came without a body is at hand from then on. */
const echo =
  (remembered?: Remembered): Handle =>
  async (request, response) => {
    const head = headOf(request);
    const body = await bodyOf(request).catch(() => undefined);
    // The client has gone before its body was there.
    if (body === undefined) return;
    const text = Buffer.from(`<${request.method} ${request.url} ${body}>`, 'latin1');
    if (head !== undefined && body === '' && request.headers['content-length'] === undefined)
      remembered?.keep(head, text);
    response.setHeader('content-length', text.length);
    response.end(text);
  };

function client(port: number): { socket: Socket; text: () => string } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  open.push(() => socket.destroy());
  return { socket, text: () => text };
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const bodies = (text: string): string[] => [...text.matchAll(/<(.*?)>/gs)].map(([, body = '']) => body);

describe('an answer that is at hand', () => {
  test('is sent to the same bytes only, and not for the first request of a connection', async () => {
    const remembered = new Remembered();
    const { port } = await serve(echo(remembered), remembered);
    const { socket, text } = client(port);
    const asked = [
      get('/a'),
      get('/a'),
      get('/a'),
      get('/b'),
      get('/a', 'X: y\r\n'),
      get('/A'),
      get('/a').replace('GET', 'get'),
    ];
    for (const [index, request] of asked.slice(0, 6).entries()) {
      socket.write(request);
      await expect.poll(() => bodies(text()).length).toBe(index + 1);
    }
    expect([remembered.sent, remembered.taken]).toEqual([2, 2]);
    const other = client(port);
    other.socket.write(get('/a'));
    await expect.poll(() => bodies(other.text())).toEqual(['GET /a ']);
    expect(remembered.sent).toBe(2);
  });

  test('keeps its place among requests that are sent ahead', async () => {
    const remembered = new Remembered();
    const { port } = await serve(async (request, response) => {
      if (request.url === '/slow') await delay(20);
      echo(remembered)(request, response);
    }, remembered);
    const { socket, text } = client(port);
    const post = 'POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 22\r\n\r\nGET /a HTTP/1.1\r\n\r\n\r\n\r\n';
    socket.write(get('/a'));
    await expect.poll(() => bodies(text()).length).toBe(1);
    const round = [get('/a'), get('/a'), get('/slow'), get('/a'), post, get('/a'), get('/b')];
    const rounds = 30;
    for (let count = 1; count <= rounds; count += 1) {
      socket.write(round.join(''));
      await expect.poll(() => answersIn(text()).length, { interval: 5 }).toBe(1 + count * round.length);
    }
    const paths = answersIn(text()).map((answer) => /<\w+ (\S+)/.exec(answer)?.[1]);
    const expected = Array.from({ length: rounds }, () => ['/a', '/a', '/slow', '/a', '/c', '/a', '/b']);
    expect(paths).toEqual(['/a', ...expected.flat()]);
    expect(remembered.sent).toBe(2 * rounds);
  });

  test('is not sent while the parser has the beginning of a request', async () => {
    const remembered = new Remembered();
    const { port } = await serve(echo(remembered), remembered);
    const { socket, text } = client(port);
    socket.write(get('/a'));
    await expect.poll(() => bodies(text())).toEqual(['GET /a ']);
    socket.write('GET /b HTTP/1.1\r\nHost: x\r\nX: ');
    await delay(20);
    socket.write(get('/a'));
    await expect.poll(() => bodies(text())).toEqual(['GET /a ', 'GET /b ']);
    expect(remembered.sent).toBe(0);
    socket.write(get('/a'));
    await expect.poll(() => bodies(text()).length).toBe(3);
    expect(remembered.sent).toBe(1);
  });

  test('lets others have their turns, and ends with a client that takes nothing', async () => {
    const remembered = new Remembered();
    const { port } = await serve(echo(remembered), remembered);
    const large = Buffer.alloc(1_000_000, 'x');
    remembered.keep(get('/large'), large);
    const { socket, text } = client(port);
    socket.write(get('/a'));
    await expect.poll(() => bodies(text()).length).toBe(1);
    socket.pause();
    socket.write(get('/large').repeat(1_500));
    let before = -1;
    while (before !== remembered.sent) {
      before = remembered.sent;
      await delay(200);
    }
    // What the system keeps of a connection is a few megabytes.
    expect(remembered.sent).toBeLessThan(20);
    expect(remembered.sent - remembered.taken).toBe(1);
    socket.destroy();
    await expect.poll(() => remembered.taken).toBe(remembered.sent);
    const other = client(port);
    other.socket.write(get('/a'));
    await expect.poll(() => bodies(other.text()).length).toBe(1);
    other.socket.write(get('/a').repeat(2_000));
    const start = performance.now();
    const third = client(port);
    third.socket.write(get('/third'));
    await expect.poll(() => bodies(third.text())).toEqual(['GET /third ']);
    expect(performance.now() - start).toBeLessThan(1_000);
    await expect.poll(() => bodies(other.text()).length, { timeout: 10_000 }).toBe(2_001);
  });

  test('keeps its connection open, and the server ends one that is silent', async () => {
    const remembered = new Remembered();
    const { port, server } = await serve(echo(remembered), remembered);
    server.headersTimeout = 200;
    server.requestTimeout = 400;
    server.keepAliveTimeout = 300;
    const { socket, text } = client(port);
    for (let count = 1; count < 20; count += 1) {
      socket.write(get('/a'));
      await expect.poll(() => bodies(text()).length).toBe(count);
      await delay(60);
    }
    expect(remembered.sent).toBe(18);
    expect(socket.destroyed).toBe(false);
    await once(socket, 'close');
  });

  test('is not sent for ever to a client that takes nothing of it', async () => {
    const remembered = new Remembered();
    const { port, server } = await serve(echo(remembered), remembered);
    server.keepAliveTimeout = 300;
    remembered.keep(get('/large'), Buffer.alloc(20_000_000, 'x'));
    const { socket, text } = client(port);
    socket.write(get('/a'));
    await expect.poll(() => bodies(text()).length).toBe(1);
    socket.pause();
    socket.write(get('/large'));
    await expect.poll(() => remembered.sent).toBe(1);
    await expect.poll(() => remembered.taken, { timeout: 5_000 }).toBe(1);
    expect(await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
  });
});

/** What a request without a body looks like in many clients. */
const BASES = [
  get('/a', 'Accept: */*\r\n'),
  get('/b', 'Accept: */*\r\nConnection: keep-alive\r\n'),
  `HEAD /c HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`,
];

test('whatever is sent between requests whose answers are at hand, the answers are those of a server without', async () => {
  const random = numbers(11);
  const remembered = new Remembered();
  const [one, other] = [await serve(echo(remembered), remembered), await serve(echo())];
  const first = get('/first');
  const end = `${get('/end', 'Connection: close\r\n')}`;
  const texts = Array.from({ length: 800 }, () => {
    const text = damaged(BASES[random(2)] ?? first, random);
    const between = Array.from({ length: 1 + random(3) }, () => BASES[random(2)] ?? first);
    return [first, between[0], text, ...between.slice(1), BASES[0], `${end}`].join('');
  });
  await atOnce(texts, async (text) => {
    const cut = random(3) === 0 ? random(text.length) : text.length;
    const pieces = [text.slice(0, cut), text.slice(cut)];
    const [sent, expected] = await Promise.all([
      exchange(connect(one.port, '127.0.0.1'), pieces),
      exchange(connect(other.port, '127.0.0.1'), pieces),
    ]);
    if (!agree(sent, expected)) expect({ text, sent }).toEqual({ text, sent: expected });
  });
  expect(remembered.sent).toBeGreaterThan(500);
}, 120_000);
