import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { parseInTurns } from './parse-in-turns.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A server and a client of it; the client has what it was answered as text. */
async function start(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ client: Socket; answers: () => string; accepted: () => Promise<number> }> {
  const server = createServer(handle);
  server.on('connection', parseInTurns);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  let text = '';
  client.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  open.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  await once(client, 'connect');
  return { client, answers: () => text, accepted: promisify(server.getConnections.bind(server)) };
}

const get = (name: string | number): string => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
const gets = (count: number): string => Array.from({ length: count }, (_, index) => get(index)).join('');
const bodiesOf = (text: string): string[] => [...text.matchAll(/<(.*?)>/gs)].map(([, body = '']) => body);
const answersPath = (request: IncomingMessage, response: ServerResponse): void => {
  response.end(`<${request.url}>`);
};

test('what is sent ahead is answered in its order, a few requests in each turn of the event loop', async () => {
  let [inTurn, most, isCounting] = [0, 0, true];
  const { client, answers } = await start((request, response) => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    answersPath(request, response);
  });
  void (async () => {
    for (; isCounting; await turn()) inTurn = 0;
  })();
  client.write(gets(3_000));
  await expect.poll(() => bodiesOf(answers()).length).toBe(3_000);
  isCounting = false;
  expect(bodiesOf(answers())).toEqual(Array.from({ length: 3_000 }, (_, index) => `/${index}`));
  expect(most).toBeLessThanOrEqual(17);
});

test('no more than a few requests of a connection are open; the next ones are read when these are answered', async () => {
  const held: ServerResponse[] = [];
  let begun = 0;
  const { client, answers } = await start((_request, response) => {
    begun += 1;
    held.push(response);
  });
  client.write(gets(1_000));
  await expect.poll(() => begun).toBe(16);
  await delay(100);
  expect(begun).toBe(16);
  for (const response of held.splice(0, 4)) response.end('<4>');
  await expect.poll(() => begun).toBe(20);
  await expect
    .poll(() => {
      for (const response of held.splice(0)) response.end('<rest>');
      return bodiesOf(answers()).length;
    })
    .toBe(1_000);
});

test('a client that takes no answers has no more requests read', async () => {
  let begun = 0;
  const { client } = await start((_request, response) => {
    begun += 1;
    response.end(Buffer.alloc(1_000, 'x'));
  });
  client.pause();
  const many = Buffer.from(gets(2_000));
  for (let round = 0; round < 20; round += 1) client.write(many);
  // What the system keeps for a connection, in either direction, is a few megabytes.
  let before = -1;
  while (begun !== before) {
    before = begun;
    await delay(400);
  }
  expect(begun).toBeLessThan(20_000);
  client.resume();
  await expect.poll(() => begun, { timeout: 60_000 }).toBe(40_000);
});

test('connections that keep more waiting than there is room for are closed, and no others', async () => {
  const { client, answers } = await start((request, response) => {
    if (request.url === '/good') response.end('<good>');
  });
  const { remotePort: port = 0 } = client;
  const more = Array.from({ length: 400 }, () => connect(port, '127.0.0.1'));
  let closed = 0;
  for (const each of more) {
    open.push(() => each.destroy());
    each.on('error', () => undefined).on('close', () => (closed += 1));
    each.write(gets(3_000));
  }
  // A connection has 64 kB waiting, for which there is room in some 250.
  await expect.poll(() => closed, { timeout: 20_000 }).toBeGreaterThan(100);
  expect(closed).toBeLessThan(200);
  client.write(get('good'));
  await expect.poll(() => bodiesOf(answers())).toEqual(['good']);
  for (const each of more) each.destroy();
  await delay(100);
  client.write(gets(100));
  await delay(100);
  expect(client.destroyed).toBe(false);
});

test('bodies that begin at the same moment on many connections are read in turns, whole', async () => {
  let [inTurn, most, isCounting] = [0, 0, true];
  const { client, answers, accepted } = await start(async (request, response) => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    response.end(`<${Buffer.concat(await request.toArray()).length}>`);
  });
  const { remotePort: port = 0 } = client;
  const texts: string[] = [];
  const senders = Array.from({ length: 300 }, (_, index) => {
    const sender = connect(port, '127.0.0.1');
    open.push(() => sender.destroy());
    sender
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => (texts[index] = chunk.toString('latin1')));
    return sender;
  });
  await expect.poll(() => accepted()).toBe(301);
  void (async () => {
    for (; isCounting; await turn()) inTurn = 0;
  })();
  const body = Buffer.alloc(300_000, get('inside'));
  for (const sender of senders) {
    sender.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    sender.write(body);
  }
  // Nothing of it was read while all of it was written.
  await expect.poll(() => texts.filter(Boolean).length, { timeout: 20_000 }).toBe(senders.length);
  isCounting = false;
  expect(new Set(texts.flatMap(bodiesOf))).toEqual(new Set(['300000']));
  // 2 MiB are the first pieces of 32; as many may begin that waited.
  expect(most).toBeLessThan(70);
  client.write(get('good'));
  await expect.poll(() => answers()).toContain('<0>');
});

test('bodies are read whole, whatever is in them, between requests that are sent ahead', async () => {
  const { client, answers } = await start(async (request, response) => {
    const length = Buffer.concat(await request.toArray()).length;
    response.end(`<${request.url} ${length}>`);
  });
  const tricky = Buffer.alloc(300_000, `\r\n\r\n${get('inside')}`);
  const chunk = Buffer.concat([
    Buffer.from(`${tricky.length.toString(16)}\r\n`),
    tricky,
    Buffer.from('\r\n'),
  ]);
  for (let round = 0; round < 20; round += 1) {
    client.write(`POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${tricky.length}\r\n\r\n`);
    client.write(tricky);
    client.write(get('b'));
    client.write('POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    client.write(Buffer.concat([chunk, chunk]));
    client.write('0\r\nx-trailer: y\r\n\r\n');
    client.write(get('d').slice(0, 20));
    await delay(1);
    client.write(get('d').slice(20));
  }
  const round = [`/a ${tricky.length}`, '/b 0', `/c ${2 * tricky.length}`, '/d 0'];
  await expect
    .poll(() => bodiesOf(answers()), { timeout: 20_000 })
    .toEqual(Array.from({ length: 20 }, () => round).flat());
});

test('a body that nobody reads is not read from its connection, behind requests that were sent ahead', async () => {
  let socket: Socket | undefined;
  const { client, answers } = await start((request, response) => {
    if (request.method === 'GET') return answersPath(request, response);
    ({ socket } = request);
  });
  client.write(gets(40));
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n');
  client.write(Buffer.alloc(49_000_000));
  await expect.poll(() => bodiesOf(answers()).length).toBe(40);
  await expect.poll(() => socket).toBeDefined();
  await delay(500);
  expect(socket?.bytesRead).toBeLessThan(2_000_000);
});

test('what is no HTTP is refused, and a client that has gone is forgotten', async () => {
  const { client, answers } = await start(answersPath);
  client.write(gets(20));
  await expect.poll(() => bodiesOf(answers()).length).toBe(20);
  client.write(`no request\r\n\r\n${gets(20)}`);
  await once(client, 'close');
  expect(bodiesOf(answers()).length).toBe(20);
  expect(answers()).toContain('HTTP/1.1 400');
  const other = await start((_request, response) => {
    response.on('error', () => undefined);
  });
  other.client.write(gets(100), () => other.client.resetAndDestroy());
  await once(other.client, 'close');
});

test('ends of lines without a return are no way around', async () => {
  const { client, answers } = await start(answersPath);
  client.write('GET / HTTP/1.1\nHost: x\n\n'.repeat(100));
  await once(client, 'close');
  expect(answers()).toContain('HTTP/1.1 400');
});
