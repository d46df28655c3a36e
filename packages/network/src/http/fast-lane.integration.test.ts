import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addFastLane, type FastLane } from './fast-lane.ts';
import { Room } from './transport/room.ts';
import { ServedHosts } from './transport/served-hosts.ts';

/** A server that says what it got, behind a fast lane that says so too. */
let server: Server;
let lane: FastLane;
let sockets: Socket[];
let release: () => void;
let held: Promise<void>;
let answered: number;
/** Requests that the server behind the lane has answered. */
let served: number;
/** What comes before the answer to a state read. */
const LONG = Buffer.alloc(1024 * 1024);

beforeEach(async () => {
  sockets = [];
  held = Promise.resolve();
  release = () => undefined;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      served += 1;
      response.end(`server ${request.method} ${Buffer.concat(chunks).length}.`);
    });
  });
  answered = 0;
  served = 0;
  const answer = async (path: string, body: Buffer): Promise<{ status: number; body: Buffer }> => {
    await held;
    answered += 1;
    const text = Buffer.from(`lane ${path.split('/').at(-1)} ${body.toString()}.`);
    return { status: 200, body: path.endsWith('read_state') ? Buffer.concat([LONG, text]) : text };
  };
  lane = addFastLane(
    server,
    { hosts: new ServedHosts([]), answer, room: new Room() },
    { first: 300, idle: 300 },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  lane.closeAll();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const PATH = '/api/v3/canister/aaaaa-aa';
const request = (body: string, endpoint = 'query', more = ''): string =>
  `POST ${PATH}/${endpoint} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cbor\r\n${more}` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

/** A connection that collects the bodies of answers. */
function client(): {
  socket: Socket;
  text: () => string;
  received: (text: string) => Promise<void>;
  closed: Promise<void>;
} {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (const each of waiting) if (text.includes(each.text)) each.resolve();
  });
  socket.on('error', () => undefined);
  return {
    socket,
    text: () => text,
    received: (wanted) =>
      new Promise((resolve) => {
        if (text.includes(wanted)) resolve();
        else waiting.push({ text: wanted, resolve });
      }),
    closed: new Promise((resolve) => socket.on('close', () => resolve())),
  };
}

test('requests of the usual kind are answered on the lane, one after the other on one connection', async () => {
  const { socket, received, text } = client();
  socket.write(request('one'));
  await received('lane query one');
  socket.write(request('two', 'call'));
  await received('lane call two');
  expect(text().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(text()).toContain('access-control-allow-origin: *');
});

test('requests sent ahead are answered in their order', async () => {
  const { socket, received, text } = client();
  socket.write(request('one') + request('two') + request('three'));
  await received('lane query three.');
  expect(text().match(/lane query \w+\./g)).toEqual([
    'lane query one.',
    'lane query two.',
    'lane query three.',
  ]);
});

test('no more is read of what is sent ahead than is answered soon', { timeout: 90_000 }, async () => {
  let ahead = 0;
  const each = request('x'.repeat(100));
  server.prependListener('connection', (socket: Socket) => {
    const look = setInterval(() => {
      ahead = Math.max(ahead, socket.bytesRead - (answered + served) * each.length);
    }, 1);
    socket.once('close', () => clearInterval(look));
  });
  const { socket } = client();
  const count = 20_000;
  socket.write(each.repeat(count));
  await expect.poll(() => answered + served, { timeout: 60_000 }).toBe(count);
  // Twice what the system gives at a time, and some for answers that are under way.
  expect(ahead).toBeLessThan(200 * 1024);
});

test('a request that comes in pieces goes to the server, and so do those after it', async () => {
  const { socket, received } = client();
  socket.write(request('one'));
  await received('lane query one');
  const whole = request('0123456789');
  socket.write(whole.slice(0, 40));
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.write(whole.slice(40, -5));
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.write(whole.slice(-5));
  await received('server POST 10');
  socket.write(request('12'));
  await received('server POST 2');
});

test('a request that is something else goes to the server, also behind one for the lane', async () => {
  const { socket, received, text } = client();
  socket.write(`${request('one')}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${request('123')}`);
  await received('server POST 3.');
  expect(text().match(/(lane|server) \w+ \w+\./g)).toEqual([
    'lane query one.',
    'server GET 0.',
    'server POST 3.',
  ]);
});

test('a body in chunks, which could hide another request, is the business of the server', async () => {
  const { socket, received, text } = client();
  const hidden = request('evil');
  const chunked = request('', 'query', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '');
  socket.write(`${chunked}${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`);
  await received(`server POST ${hidden.length}`);
  expect(text()).not.toContain('evil');
});

test('nonsense is refused by the server', async () => {
  const { socket, received, closed } = client();
  socket.write('nonsense\r\n\r\n');
  await received('400 Bad Request');
  await closed;
});

test('a connection without a request, or without a next one, is closed', async () => {
  const silent = client();
  const used = client();
  used.socket.write(request('one'));
  await used.received('lane query one');
  await Promise.all([silent.closed, used.closed]);
});

test('a client that sends its last request and ends still gets the answer', async () => {
  const { socket, closed, text } = client();
  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  socket.end(request('last'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  await closed;
  expect(text()).toContain('lane query last');
});

test('requests sent ahead are answered though the client ends behind them', async () => {
  const { socket, closed, text } = client();
  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  socket.end(request('one') + request('two'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  await closed;
  expect(text().match(/lane query \w+\./g)).toEqual(['lane query one.', 'lane query two.']);
});

test('a client that does not take its answers gets no more of them, and in the end its connection is closed', async () => {
  const { socket, closed } = client();
  socket.pause();
  socket.write(request('', 'read_state').repeat(100));
  await new Promise((resolve) => server.once('connection', (each: Socket) => each.once('close', resolve)));
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(50);
  socket.resume();
  await closed;
});

test('a client that goes away in the middle of an answer harms nobody', async () => {
  const { socket } = client();
  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  socket.write(request('one') + request('two'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  const other = client();
  other.socket.write(request('three'));
  await other.received('lane query three.');
});

test('closing ends idle connections and lets a busy one finish', async () => {
  const idle = client();
  idle.socket.write(request('one'));
  await idle.received('lane query one');
  const busy = client();
  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  busy.socket.write(request('two'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  lane.closeIdle();
  await idle.closed;
  release();
  await busy.closed;
  expect(busy.text()).toContain('lane query two');
  expect(busy.text()).toContain('connection: close');
});
