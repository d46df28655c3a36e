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
import { agree, atOnce, damaged, exchange, numbers } from '../../test/damaged-requests.ts';

/**
 * Requests that were damaged in many ways are sent twice: to the fast lane, and on a connection that has left it, where
 * Node's own parser reads them. Who is answered differently could hide one request in another.
 */
const ROUNDS = 2_000;
const TIMEOUTS = { headers: 1_000, request: 1_000, check: 250 };

let server: HttpServer;

beforeAll(async () => {
  // None of these requests is signed, so that none gets beyond the check of its signature.
  const service = { now: () => 1_800_000_000_000_000_000n } as NetworkService;
  server = await startHttpServer(
    service,
    {
      handle: async (_request, response) =>
        void response.writeHead(404, { 'content-length': 7 }).end('no page'),
    },
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

/** A connection on which the fast lane has handed over to the server. */
async function leftLane(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(NOT_FOR_THE_LANE);
  await once(socket, 'data');
  return socket;
}

function damagedRequests(count: number): string[] {
  const random = numbers(20_261_121);
  const bases = [validRequest('query', 6), validRequest('call', 300), validRequest('query', 0)] as const;
  return Array.from({ length: count }, () => {
    const text = damaged(bases[random(3)] ?? bases[0], random);
    return random(3) === 0 ? damaged(text, random) : text;
  });
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
