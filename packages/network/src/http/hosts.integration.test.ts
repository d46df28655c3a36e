import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lines, named, speak } from '../../test/speak.ts';
import { type HttpServer, startHttpServer } from './server.ts';
import type { NetworkService } from './endpoints/service.ts';

/** Requests to hosts of every spelling, on the fast lane, on the server behind it, and for the page of a canister. */
const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const PAGE = 'a page';
let server: HttpServer;

beforeAll(async () => {
  // None of these requests gets beyond the form of its body.
  const service = { keys: { rootKey: new Uint8Array(133) }, setTime: async () => undefined, now: () => 0n };
  server = await startHttpServer(
    service as unknown as NetworkService,
    {
      handle: async (_page, response) =>
        void response.writeHead(404, { 'content-length': PAGE.length }).end(PAGE),
    },
    { host: '127.0.0.1', port: 0, hosts: ['net.example.com', '*.sites.example.com'] },
  );
});
afterAll(() => server.close());

const filled = (text: string): string => text.replaceAll('PORT', String(server.port)).replaceAll('ID', ID);
const tell = (text: string): ReturnType<typeof speak> => speak(server.port, filled(text));

const SERVED = [
  'localhost:PORT',
  'LOCALHOST:PORT',
  '127.0.0.1:PORT',
  '127.8.9.1',
  '[::1]:PORT',
  '[0:0:0:0:0:0:0:1]',
  'localhost.:PORT',
  'net.example.com',
  'ID.localhost:PORT',
  'ID.raw.localhost:PORT',
  'ID.LOCALHOST.:PORT',
  'ID.sites.example.com',
];
const CBOR = ['Content-Type: application/cbor', 'Content-Length: 1', 'Accept: */*'];
const slow = (host: string): string => lines('GET /api/v2/status HTTP/1.1', `Host: ${host}`);
const fast = (host: string): string =>
  `${lines('POST /api/v3/canister/aaaaa-aa/query HTTP/1.1', `Host: ${host}`, ...CBOR)}x`;

const REFUSED = [
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1.nip.io:PORT',
  '7f000001.rbndr.us',
  'localhost.evil.example',
  'notlocalhost',
  'ID.evil.example',
  'ID.localhost.evil.example',
  'ID.127.0.0.1:PORT',
  'localhost..',
  '.localhost',
  'a..localhost',
  '0.0.0.0:PORT',
  '2130706433',
  '0x7f.1',
  '127.0.0.256',
  '128.0.0.1',
  '10.0.0.1',
  '[::]:PORT',
  '[fe80::1]',
  '[::1',
  '::1',
  'sites.example.com',
  'xsites.example.com',
  'sub.net.example.com',
  'user@localhost:PORT',
  'localhost:PORT@evil.example',
  'evil.example/localhost',
  'evil.example#.localhost',
  'localhost:99999',
  'localhost:4x',
  'localhost, evil.example',
  'local host',
  'localhos\u0165',
  '',
];
test.each(REFUSED)('Host: %s, on the fast lane, on the server, and for a page', async (host) => {
  for (const text of [fast(host), slow(host), lines('GET /?canisterId=ID HTTP/1.1', `Host: ${host}`)]) {
    const answer = await tell(text);
    expect([400, 421]).toContain(answer.status);
    expect(answer.body).not.toContain(PAGE);
  }
});

test('the refusal says which setting names a host', async () => {
  const answer = await tell(fast('evil.example'));
  expect(answer.status).toBe(421);
  expect(named(answer, 'content-type')).toEqual(['text/plain; charset=utf-8']);
  expect(answer.body).toContain('"evil.example"');
  expect(answer.body).toMatch(/NETWORK_HOSTS.*--allow-host/);
});

test.each([...SERVED, 'a.b.localhost', 'anything.sites.example.com', 'NET.Example.com.:8443'])(
  'Host: %s is served, on the fast lane as on the server',
  async (host) => {
    expect((await tell(slow(host))).status).toBe(200);
    // The byte is no CBOR: the request came as far as its body.
    const answer = await tell(fast(host));
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('host');
  },
);

test.each([
  ['no Host, HTTP/1.0', lines('GET /api/v2/status HTTP/1.0'), [400]],
  ['no Host, HTTP/1.1', lines('GET /api/v2/status HTTP/1.1'), [400]],
  ['a Host with HTTP/1.0', lines('GET /api/v2/status HTTP/1.0', 'Host: localhost'), [200]],
  ['a foreign Host with HTTP/1.0', lines('GET /api/v2/status HTTP/1.0', 'Host: evil.example'), [421]],
  ['two Hosts', lines('GET /api/v2/status HTTP/1.1', 'Host: localhost', 'Host: evil.example'), [400]],
  [
    'two Hosts, the other way',
    lines('GET /api/v2/status HTTP/1.1', 'host: evil.example', 'HOST: localhost'),
    [400, 421],
  ],
  ['two equal Hosts', lines('GET /api/v2/status HTTP/1.1', 'Host: localhost', 'Host: localhost'), [400]],
  ['Host with a space before the colon', lines('GET /api/v2/status HTTP/1.1', 'Host : localhost'), [400]],
  ['Host on a folded line', lines('GET /api/v2/status HTTP/1.1', 'Host:', ' localhost'), [200, 400]],
  ['a whole address', lines('GET http://localhost/api/v2/status HTTP/1.1', 'Host: localhost'), [200]],
  [
    'a whole address of another host',
    lines('GET http://evil.example/api/v2/status HTTP/1.1', 'Host: localhost'),
    [400, 421],
  ],
  [
    'a whole address, foreign Host',
    lines('GET http://localhost/api/v2/status HTTP/1.1', 'Host: evil.example'),
    [400, 421],
  ],
  [
    'a whole address with a user',
    lines('GET http://u:p@localhost/api/v2/status HTTP/1.1', 'Host: localhost'),
    [400],
  ],
  [
    'a whole address of another kind',
    lines('GET ftp://localhost/api/v2/status HTTP/1.1', 'Host: localhost'),
    [400],
  ],
  [
    'a canister in a whole address only',
    lines('GET http://ID.localhost/ HTTP/1.1', 'Host: localhost'),
    [400, 421],
  ],
  [
    'X-Forwarded-Host',
    lines('GET /api/v2/status HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost'),
    [421],
  ],
  [
    'a name that is a header',
    lines('GET /api/v2/status HTTP/1.1', 'Host: localhost\tevil.example'),
    [400, 421],
  ],
  [
    'a preflight',
    lines('OPTIONS /api/v2/status HTTP/1.1', 'Host: evil.example', 'Access-Control-Request-Method: POST'),
    [421],
  ],
  ['*', lines('OPTIONS * HTTP/1.1', 'Host: evil.example'), [400, 421]],
  ['the control of time', lines('GET /_/time HTTP/1.1', 'Host: evil.example'), [421]],
] as const)('%s', async (_name, text, statuses) => {
  expect(statuses).toContain((await tell(text)).status);
});

test.each([
  ['on the server', () => slow('localhost'), 200],
  ['on the fast lane', () => fast('localhost'), 400],
])('each request of a connection is asked for its host: %s', async (_name, first, status) => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(Buffer.from(first() + fast('evil.example'), 'latin1'));
  let received = '';
  for await (const chunk of socket) {
    received += String(chunk);
    if (received.includes('HTTP/1.1 421')) break;
  }
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 421']);
});
