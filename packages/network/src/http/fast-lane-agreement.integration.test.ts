import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type HttpServer, startHttpServer } from './server.ts';
import type { NetworkService } from './endpoints/service.ts';
import { ServedHosts } from './transport/served-hosts.ts';
import { parseSimpleHead } from './transport/simple-head.ts';

/**
 * Requests that were damaged in many ways are sent twice: to the fast lane, and on a connection that has left it, where
 * Node's own parser reads them. Who is answered differently could hide one request in another.
 */
const ROUNDS = 2_000;
const CONNECTIONS = 100;
const TIMEOUTS = { headers: 1_000, request: 1_000, check: 250 };

let server: HttpServer;

beforeAll(async () => {
  // None of these requests is signed, so that none gets beyond the check of its signature.
  const service = { now: () => 1_800_000_000_000_000_000n } as NetworkService;
  server = await startHttpServer(
    service,
    async (_request, response) => void response.writeHead(404, { 'content-length': 7 }).end('no page'),
    { host: '127.0.0.1', port: 0 },
    TIMEOUTS,
  );
});
afterAll(() => server.close());

const CANISTER = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 1));
const HOSTS = new ServedHosts([]);
const SENDER = new Uint8Array(29).fill(7);

function validRequest(type: 'query' | 'call', argument: number): string {
  const content = {
    request_type: type,
    canister_id: CANISTER.toUint8Array(),
    method_name: 'get',
    arg: new Uint8Array(argument).fill(0x41),
    sender: SENDER,
    ingress_expiry: 1_800_000_060_000_000_000n,
  };
  const body = Buffer.from(encode({ content })).toString('latin1');
  return (
    `POST /api/v3/canister/${CANISTER}/${type} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n` +
    `Content-Type: application/cbor\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Ends a connection; long, for damaged requests that claim to be longer than they are. */
const ENDING =
  `GET /end HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(1_000)}\r\n\r\n`.repeat(5) +
  'GET /end HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const NOT_FOR_THE_LANE = 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n';

/** Numbers that are the same in every run (Park and Miller's generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

const HEADERS = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: identity',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length : 5',
  'Content-Length:',
  'Host: y',
  'Host: localhost',
  'Expect: 100-continue',
  'Expect: nothing',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: keep-alive, close',
  'Proxy-Connection: close',
  'Connection: x, y',
  'Upgrade: h2c',
  'TE: trailers',
  'Trailer: x',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Cookie: a=b',
  'Origin: http://localhost',
  ' folded',
  ': nameless',
  'no colon',
  'X-Long: '.padEnd(20_000, 'x'),
  'X-\u00ff: y',
  'X: \u0000',
];
const REQUEST_LINES: readonly [string, string][] = [
  ['POST', 'GET'],
  ['POST', 'HEAD'],
  ['POST', 'OPTIONS'],
  ['POST', 'PUT'],
  ['POST', 'post'],
  ['POST', 'CONNECT'],
  ['POST ', 'POST  '],
  ['/api', '//api'],
  ['/api', 'http://localhost/api'],
  ['/query', '/query?x=1'],
  ['/query', '/query/'],
  ['/query', '/%71uery'],
  ['/query', '/call'],
  ['/canister/', '/subnet/'],
  ['v3', 'v2'],
  ['v3', 'v9'],
  ['HTTP/1.1', 'HTTP/1.0'],
  ['HTTP/1.1', 'HTTP/2.0'],
  ['HTTP/1.1', 'http/1.1'],
  ['\r\n', '\n'],
  ['\r\n', '\r'],
  ['\r\n\r\n', '\n\n'],
  ['\r\n\r\n', '\r\n\r'],
  ['application/cbor', 'application/cbor; charset=utf-8'],
  ['application/cbor', 'APPLICATION/CBOR'],
  ['application/cbor', 'application/json'],
  [': ', ':'],
  [': ', ':  '],
];
const BYTES = '\r\n \t:,;=+-0159azAZ\u0000\u007f\u0080\u00ff';

function damaged(request: string, random: (below: number) => number): string {
  const pick = <T>(from: ArrayLike<T>): T => from[random(from.length)] as T;
  const at = random(request.length);
  switch (random(7)) {
    case 0:
      return request.slice(0, at) + pick(BYTES) + request.slice(at + 1);
    case 1:
      return request.slice(0, at) + pick(BYTES) + request.slice(at);
    case 2:
      return request.slice(0, at) + request.slice(at + 1 + random(4));
    case 3:
      return request.slice(0, at);
    case 4:
      return request.replace(...pick(REQUEST_LINES));
    case 5: {
      const lines = request.split('\r\n');
      const line = random(lines.length);
      return lines.toSpliced(line, random(2), ...(random(2) ? [pick(lines)] : [])).join('\r\n');
    }
    default: {
      const lines = request.split('\r\n');
      return lines.toSpliced(1 + random(4), 0, pick(HEADERS)).join('\r\n');
    }
  }
}

/** A connection on which the fast lane has handed over to the server. */
async function leftLane(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(NOT_FOR_THE_LANE);
  await once(socket, 'data');
  return socket;
}

/** Status and body of what is answered until the server closes the connection, or until there are `enough` answers. */
async function exchange(socket: Socket, pieces: readonly string[], enough = Infinity): Promise<string[]> {
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (enough < Infinity && answersIn(received).length >= enough) socket.end();
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  for (const piece of pieces) {
    await new Promise((sent) => socket.write(piece, 'latin1', sent));
    await new Promise(setImmediate);
  }
  await closed;
  return answersIn(received);
}

function answersIn(received: string): string[] {
  return received
    .replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((answer) => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      return `${head.slice(9, 12)} ${body.join('\r\n\r\n')}`;
    })
    .filter((answer) => answer.trim() !== '');
}

function damagedRequests(count: number): string[] {
  const random = numbers(20_261_121);
  const bases = [validRequest('query', 6), validRequest('call', 300), validRequest('query', 0)] as const;
  return Array.from({ length: count }, () => {
    const text = damaged(bases[random(3)] ?? bases[0], random);
    return random(3) === 0 ? damaged(text, random) : text;
  });
}

async function atOnce<T>(items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await action(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

test('what the fast lane takes for a request, the server takes for the same request', async () => {
  const seen = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('latin1');
    response.end(`${request.method} ${request.url} ${body}`, 'latin1');
  });
  await new Promise<void>((resolve) => seen.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => seen.close(() => resolve())));
  const { port } = seen.address() as AddressInfo;
  let taken = 0;
  await atOnce(damagedRequests(ROUNDS), async (text) => {
    const [head = '', ...rest] = text.split('\r\n\r\n');
    const simple = parseSimpleHead(head, HOSTS);
    if (!simple || simple.contentLength > 10_000) return;
    taken += 1;
    const body = rest.join('\r\n\r\n').slice(0, simple.contentLength).padEnd(simple.contentLength);
    const answers = await exchange(connect(port, '127.0.0.1'), [`${head}\r\n\r\n${body}`], 1);
    expect(answers, JSON.stringify(text)).toEqual([`200 POST ${simple.path} ${body}`]);
  });
  expect(taken).toBeGreaterThan(ROUNDS / 4);
});

/** What Node says, without a body, before it closes a connection on which it cannot find its way. */
const LOST = /^4\d\d $/;

/**
 * Whether these can be answers to the same requests. At what it cannot read the server closes the connection, sometimes
 * before it has answered what came ahead of that.
 */
function agree(one: readonly string[], other: readonly string[]): boolean {
  const [shorter = [], longer = []] = [one, other]
    .map((answers) => answers.filter((answer) => !LOST.test(answer)))
    .sort((a, b) => a.length - b.length);
  return shorter.every((answer, at) => answer === longer[at]);
}

test('whatever the fast lane is sent, the answers are those of the server', async () => {
  const random = numbers(7);
  let answered = 0;
  await atOnce(damagedRequests(ROUNDS), async (text) => {
    const whole = (random(2) === 0 ? validRequest('query', 6) : '') + text + ENDING;
    const cut = random(5) === 0 ? random(whole.length) : whole.length;
    const [lane, expected] = await Promise.all([
      exchange(connect(server.port, '127.0.0.1'), [whole.slice(0, cut), whole.slice(cut)]),
      exchange(await leftLane(), [whole]),
    ]);
    answered += lane.length;
    if (!agree(lane, expected)) expect({ text, lane }).toEqual({ text, lane: expected });
  });
  expect(answered).toBeGreaterThan(ROUNDS);
}, 240_000);
