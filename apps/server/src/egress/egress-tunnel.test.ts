import { once } from 'node:events';
import { createServer as createHttpServer, request, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { EgressHost } from './egress-host.ts';
import { defaultEgressLimits, type EgressLimits, openTunnel, type EgressTunnel } from './egress-tunnel.ts';

/** What a hostile DNS answers, by name; a list is used up one look-up at a time. */
const answers = new Map<string, string[][]>();
const asked: string[] = [];
const notes: string[] = [];
const ways: EgressTunnel[] = [];
let reached = 0;
const echo = createServer((socket) => {
  reached += 1;
  socket.on('error', () => undefined).pipe(socket);
});
const site = createHttpServer((incoming, response) => {
  reached += 1;
  if (incoming.url === '/away') response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  else response.end(`${incoming.method} ${incoming.headers.host} ${JSON.stringify(incoming.headers)}`);
});
let echoPort: number;
let sitePort: number;

beforeAll(async () => {
  for (const server of [echo, site]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  echoPort = (echo.address() as AddressInfo).port;
  sitePort = (site.address() as AddressInfo).port;
});
beforeEach(() => {
  answers.clear();
  asked.length = 0;
  notes.length = 0;
  reached = 0;
});
afterAll(() => {
  for (const way of ways) way.close();
  echo.close();
  site.close();
});

function host(name: string, port: number, options: Partial<EgressHost> = {}): EgressHost {
  return { name, port, plain: false, mayBePrivate: false, what: 'registry', ...options };
}

async function open(hosts: EgressHost[], limits: Partial<EgressLimits> = {}): Promise<EgressTunnel> {
  const way = await openTunnel({
    hosts,
    limits: { ...defaultEgressLimits, ...limits },
    at: { token: 'the token' },
    resolve: async (name) => {
      asked.push(name);
      const next = answers.get(name)?.shift();
      if (next === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      return next;
    },
    onNote: (note) => notes.push(note),
  });
  ways.push(way);
  return way;
}

const AUTH = { 'Proxy-Authorization': `Basic ${Buffer.from('the token:').toString('base64')}` };

/** Asks for a tunnel; answers the status, and the socket when there is one. */
async function tunnel(
  way: EgressTunnel,
  target: string,
  headers = AUTH,
): Promise<{ status: number; socket: Socket }> {
  const asking = request({
    host: '127.0.0.1',
    port: way.port,
    method: 'CONNECT',
    path: target,
    headers,
  }).end();
  const [answer, socket] = (await once(asking, 'connect')) as [IncomingMessage, Socket];
  socket.on('error', () => undefined);
  return { status: answer.statusCode ?? 0, socket };
}

async function get(
  way: EgressTunnel,
  address: string,
): Promise<{ status: number; body: string; location?: string }> {
  const asking = request({ host: '127.0.0.1', port: way.port, path: address, headers: AUTH }).end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer), location: answer.headers.location };
}

test('a listed host is reached at the address that was checked, with one look-up', async () => {
  const way = await open([host('npm.example', echoPort, { mayBePrivate: true })]);
  answers.set('npm.example', [['127.0.0.1'], ['192.0.2.1']]);
  const { status, socket } = await tunnel(way, `npm.example:${echoPort}`);
  expect(status).toBe(200);
  socket.write('hello');
  expect(String((await once(socket, 'data'))[0])).toBe('hello');
  socket.destroy();
  expect(asked).toEqual(['npm.example']);
});

test('a name that leads inside is refused at every connection, whatever it led to before', async () => {
  const way = await open([host('npm.example', echoPort)]);
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ];
  // A public address beside a private one is a trap, too.
  answers.set('npm.example', [...inside.map((address) => [address]), ['1.1.1.1', '127.0.0.1']]);
  for (const _ of [...inside, 'both'])
    expect((await tunnel(way, `npm.example:${echoPort}`)).status).toBe(403);
  expect(reached).toBe(0);
  expect(notes).toContain(
    `npm.example:${echoPort} was refused: its name leads to 127.0.0.1, which is not a public address.`,
  );
});

test('what is not listed is refused before its name is looked up', async () => {
  const way = await open([
    host('npm.example', 443),
    host('registry.local', sitePort, { plain: true, mayBePrivate: true }),
  ]);
  answers.set('registry.local', [['127.0.0.1'], ['127.0.0.1']]);
  for (const target of [
    `127.0.0.1:${echoPort}`,
    `2130706433:${echoPort}`,
    `[::1]:${echoPort}`,
    'npm.example:22',
    'a.npm.example:443',
  ])
    expect((await tunnel(way, target)).status, target).toBe(403);
  expect((await tunnel(way, `npm.example@127.0.0.1:${echoPort}`)).status).toBe(400);
  // A host with TLS is not reached in the way of the other kind.
  for (const address of [
    `http://127.0.0.1:${sitePort}/`,
    'http://npm.example:443/',
    `http://x@localhost:${sitePort}/`,
  ])
    expect((await get(way, address)).status, address).toBe(403);
  for (const address of ['/', 'https://npm.example/', 'ftp://npm.example/', 'http://[/'])
    expect((await get(way, address)).status, address).toBe(400);
  expect({ asked, reached }).toEqual({ asked: [], reached: 0 });
});

test('a plain registry is spoken to under its own name, and redirects are left to the caller', async () => {
  const way = await open([host('registry.local', sitePort, { plain: true, mayBePrivate: true })]);
  answers.set('registry.local', [['127.0.0.1'], ['127.0.0.1']]);
  const { body } = await get(way, `http://registry.local:${sitePort}/x?y`);
  expect(body).toContain(`GET registry.local:${sitePort} `);
  expect(body).not.toContain('proxy-authorization');
  expect(await get(way, `http://registry.local:${sitePort}/away`)).toMatchObject({
    status: 302,
    location: 'http://127.0.0.1:1/',
  });
  expect((await get(way, 'http://127.0.0.1:1/')).status).toBe(403);
});

test.each(['099 Odd', '1000 Odd', '600 Odd'])(
  'a registry that answers %s ends that answer only',
  async (line) => {
    const odd = createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.end(`HTTP/1.1 ${line}\r\n\r\nodd`));
    });
    odd.listen(0, '127.0.0.1');
    await once(odd, 'listening');
    const { port } = odd.address() as AddressInfo;
    const way = await open([
      host('odd.local', port, { plain: true, mayBePrivate: true }),
      host('registry.local', sitePort, { plain: true, mayBePrivate: true }),
    ]);
    answers.set('odd.local', [['127.0.0.1']]);
    answers.set('registry.local', [['127.0.0.1']]);
    expect((await get(way, `http://odd.local:${port}/`)).status).toBe(502);
    expect((await get(way, `http://registry.local:${sitePort}/`)).status).toBe(200);
    odd.close();
  },
);

test('a tunnel to a plain registry leads to it under its own name, request by request', async () => {
  const way = await open([host('registry.local', sitePort, { plain: true, mayBePrivate: true })]);
  answers.set('registry.local', [['127.0.0.1'], ['127.0.0.1']]);
  const { status, socket } = await tunnel(way, `registry.local:${sitePort}`);
  expect(status).toBe(200);
  const said = async (lines: string): Promise<string> => {
    socket.write(`${lines}\r\n\r\n`);
    return String((await once(socket, 'data'))[0]);
  };
  expect(await said('GET /x HTTP/1.1\r\nHost: admin.local')).toContain(`GET registry.local:${sitePort} `);
  expect(await said('GET //127.0.0.1:1/y HTTP/1.1\r\nHost: 127.0.0.1:1')).toContain(
    `GET registry.local:${sitePort} `,
  );
  expect(await said('GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: x')).toMatch(/^HTTP\/1\.1 400 /);
  expect(asked).toEqual(['registry.local', 'registry.local']);
  expect((await tunnel(way, `registry.local:${sitePort}`, {} as typeof AUTH)).status).toBe(407);
  const raw = await tunnel(way, `registry.local:${sitePort}`);
  raw.socket.write('EHLO me\r\n');
  expect(String((await once(raw.socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /);
  expect(reached).toBe(2);
});

test('without the token nothing is done', async () => {
  const way = await open([host('npm.example', echoPort, { mayBePrivate: true })]);
  expect((await tunnel(way, `npm.example:${echoPort}`, {} as typeof AUTH)).status).toBe(407);
  expect(
    (await tunnel(way, `npm.example:${echoPort}`, { 'Proxy-Authorization': 'Basic dGhlIHRva2VuOng=' }))
      .status,
  ).toBe(407);
  expect(asked).toEqual([]);
});

test('a host that is away is named once', async () => {
  const way = await open([host('npm.example', 443)]);
  for (const _ of [1, 2]) expect((await tunnel(way, 'npm.example:443')).status).toBe(421);
  expect(notes).toEqual(['The registry npm.example cannot be reached from this machine (ENOTFOUND).']);
});

test('bytes, connections, silence and notes have bounds', async () => {
  const listed = host('npm.example', echoPort, { mayBePrivate: true });
  answers.set(
    'npm.example',
    Array.from({ length: 9 }, () => ['127.0.0.1']),
  );

  const small = await open([listed], { bytes: 1_000_000 });
  const full = (await tunnel(small, `npm.example:${echoPort}`)).socket;
  full.write(Buffer.alloc(600_000)); // and as much back
  full.resume();
  await once(full, 'close');
  expect(notes).toEqual(['More than 1 MB went over the network, which is the limit.']);

  const few = await open([listed], { connections: 2 });
  const held = [await tunnel(few, `npm.example:${echoPort}`), await tunnel(few, `npm.example:${echoPort}`)];
  const third = connect(few.port, '127.0.0.1').on('error', () => undefined);
  third.write(`CONNECT npm.example:${echoPort} HTTP/1.1\r\n\r\n`);
  await once(third.resume(), 'close');
  for (const { socket } of held) socket.destroy();

  const silent = await open([listed], { idleMs: 50 });
  const quiet = (await tunnel(silent, `npm.example:${echoPort}`)).socket;
  await once(quiet.resume(), 'close');

  notes.length = 0;
  const strict = await open([]);
  await Promise.all(Array.from({ length: 40 }, (_, index) => tunnel(strict, `h${index}.example:443`)));
  await vi.waitFor(() => expect(notes).toHaveLength(20));
});

test('whoever asks and leaves has no more connections made than may be open, and leaves none behind', {
  timeout: 20_000,
}, async () => {
  const looked: (() => void)[] = [];
  const way = await openTunnel({
    hosts: [host('npm.example', echoPort, { mayBePrivate: true })],
    limits: { ...defaultEgressLimits, connections: 4 },
    at: { token: 'the token' },
    resolve: (name) => {
      asked.push(name);
      const { promise, resolve } = Promise.withResolvers<string[]>();
      looked.push(() => resolve(['127.0.0.1']));
      return promise;
    },
    onNote: (note) => notes.push(note),
  });
  ways.push(way);
  const target = `npm.example:${echoPort}`;
  for (let turn = 0; turn < 12; turn += 1) {
    const client = connect(way.port, '127.0.0.1').on('error', () => undefined);
    client.write(`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${AUTH['Proxy-Authorization']}\r\n\r\n`);
    if (turn < 4) await vi.waitFor(() => expect(asked).toHaveLength(turn + 1));
    else await once(client, 'data');
    client.resetAndDestroy();
    await once(client, 'close');
  }
  expect(asked).toHaveLength(4);
  expect(notes).toEqual(['More than 4 connections were asked for at once, which is the limit.']);
  for (const answer of looked) answer();
  // There is room again, and nothing was connected for those who left.
  const next = tunnel(way, target);
  await vi.waitFor(() => expect(asked).toHaveLength(5));
  looked.at(-1)?.();
  const { status, socket } = await next;
  expect(status).toBe(200);
  expect(reached).toBe(1);
  socket.destroy();
});
