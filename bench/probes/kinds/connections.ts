import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import type { Probe } from '../probe.ts';

const KILOBYTE = 1024;
const junk = Buffer.alloc(64 * KILOBYTE, 'x');
const chunk = Buffer.concat([Buffer.from('10000\r\n'), junk, Buffer.from('\r\n')]);

type Kind = readonly [name: string, run: (attack: Attack, path: string) => Promise<void>];

/** Opens connections that all send the same slowly. */
const slowly =
  (count: number, head: string, rest: string, everyMillis = 1_000) =>
  async (attack: Attack, path: string): Promise<void> => {
    const sockets = Array.from({ length: count }, () => attack.open());
    await Promise.all(
      sockets.map(async (socket) => {
        socket.write(head.replace('PATH', path));
        await attack.drip(socket, Buffer.from(rest), everyMillis);
      }),
    );
    await attack.hold();
  };

/** Writes a head, then pieces without an end, on several connections. */
const endlessly =
  (head: string, piece: () => Uint8Array, count = 8) =>
  async (attack: Attack, path: string): Promise<void> => {
    await attack.many(count, count, async () => {
      await attack.send(head.replace('PATH', path), { goOn: (socket) => attack.pour(socket, piece) });
    });
  };

/** Sends the same bytes again and again, each time on their own connection. */
const repeated =
  (count: number, ...bytes: readonly (string | Uint8Array)[]) =>
  async (attack: Attack, path: string): Promise<void> => {
    await attack.many(count, 20, async (index) => {
      const each = bytes[index % bytes.length] ?? '';
      await attack.send(
        typeof each === 'string' ? Buffer.from(each.replaceAll('PATH', path), 'latin1') : each,
      );
    });
  };

const HEAD = 'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cbor\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const GET = 'GET PATH HTTP/1.1\r\nHost: localhost\r\n\r\n';
const get = (target: string, ...headers: string[]): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`;

/** Opens connections that say nothing, or only `hello`. */
const idle =
  (count: number, hello = '') =>
  async (attack: Attack): Promise<void> => {
    for (let made = 0; made < count && !attack.isOver; made += 1) {
      const socket = attack.open();
      if (hello !== '') socket.write(hello);
      if (made % 100 === 99) await delay(10);
    }
    await attack.hold();
  };

const KINDS: readonly Kind[] = [
  ['a byte a second of the first line, 300 times', slowly(300, '', GET)],
  [
    'a byte a second of headers, 300 times',
    slowly(300, 'GET PATH HTTP/1.1\r\nHost: localhost\r\n', 'X: '.padEnd(99, 'x')),
  ],
  [
    'a byte a second of a body, 300 times',
    slowly(300, `${HEAD}Content-Length: 1000\r\n\r\n`, 'x'.repeat(1000)),
  ],
  ['a byte a second in chunks, 300 times', slowly(300, CHUNKED, '1\r\nx\r\n'.repeat(50))],
  [
    'a byte every ten milliseconds of a body, 300 times',
    slowly(300, `${HEAD}Content-Length: 100000\r\n\r\n`, 'x'.repeat(1000), 10),
  ],
  ['a header without an end', endlessly('GET PATH HTTP/1.1\r\nHost: localhost\r\nX: ', () => junk)],
  [
    'headers without an end',
    endlessly('GET PATH HTTP/1.1\r\nHost: localhost\r\n', () => Buffer.from('a: b\r\n'.repeat(1_000))),
  ],
  ['a first line without an end', endlessly('GET /', () => junk)],
  ['a body in chunks without an end', endlessly(CHUNKED, () => chunk)],
  [
    'a body in chunks of one byte without an end',
    endlessly(CHUNKED, () => Buffer.from('1\r\nx\r\n'.repeat(2_000))),
  ],
  ['an extension of a chunk without an end', endlessly(`${CHUNKED}1;a=`, () => junk)],
  ['trailers without an end', endlessly(`${CHUNKED}0\r\n`, () => Buffer.from('a: b\r\n'.repeat(1_000)))],
  ['a trailer without an end', endlessly(`${CHUNKED}0\r\nX: `, () => junk)],
  ['a body of four gigabytes', endlessly(`${HEAD}Content-Length: 4294967296\r\n\r\n`, () => junk)],
  [
    'absurd lengths',
    repeated(
      400,
      ...['-1', '1e9', '0x10', '9'.repeat(30), '18446744073709551616', '1, 2', '+1', ' ', '1 1'].map(
        (length) => `${HEAD}Content-Length: ${length}\r\n\r\nx`,
      ),
    ),
  ],
  [
    'absurd chunks',
    repeated(
      400,
      ...['ffffffffffffffff', '10000000000000000', '-1', 'g', '', '0x1', '1 1'].map(
        (size) => `${CHUNKED}${size}\r\nx\r\n0\r\n\r\n`,
      ),
    ),
  ],
  [
    'length and chunks at once, and two lengths',
    repeated(
      400,
      `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${GET}`,
      `${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
      `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      `${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    ),
  ],
  [
    'requests for which the client waits to be told to go on',
    repeated(
      300,
      `${HEAD}Content-Length: 4194304\r\nExpect: 100-continue\r\n\r\n`,
      `${HEAD}Content-Length: 10\r\nExpect: the impossible\r\n\r\n`,
    ),
  ],
  [
    'half-open connections, 500 at a time',
    async (attack, path) => {
      for (let made = 0; made < 500 && !attack.isOver; made += 1)
        attack.open().end(GET.replace('PATH', path).slice(0, -2));
      await attack.hold();
    },
  ],
  [
    'connections that are reset at once',
    async (attack) => {
      await attack.many(3_000, 50, async () => {
        const socket = attack.open();
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
        socket.resetAndDestroy();
      });
    },
  ],
  [
    'requests whose client is gone before the answer',
    async (attack, path) => {
      await attack.many(3_000, 50, async () => {
        const socket = attack.open();
        await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
        socket.write(GET.replace('PATH', path), () => socket.resetAndDestroy());
        await new Promise((resolve) => socket.once('close', resolve));
      });
    },
  ],
  ['1,500 silent connections', idle(1_500)],
  ['5,000 silent connections', idle(5_000)],
  [
    '1,500 connections with half a request',
    idle(1_500, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n'),
  ],
  [
    '10,000 requests sent ahead on one connection',
    async (attack, path) => {
      await attack.send(GET.replace('PATH', path).repeat(10_000), { goOn: () => attack.hold() });
      await attack.hold();
    },
  ],
  [
    'requests sent ahead on 50 connections that take no answer',
    async (attack, path) => {
      const many = Buffer.from(GET.replace('PATH', path).repeat(2_000));
      await attack.many(50, 50, async () => {
        const socket = attack.open();
        socket.pause();
        await attack.pour(socket, () => many);
      });
    },
  ],
  ['5,000 small requests, each on its own connection', repeated(5_000, GET)],
  [
    'paths of 15 kB, of 7,000 parts and with 5,000 questions',
    repeated(
      600,
      get(`/${'a'.repeat(15_000)}`),
      get('/a'.repeat(7_000)),
      get(`/?${'a=b&'.repeat(3_700)}`),
      get('/..'.repeat(5_000)),
      get('/%2e%2e%2f'.repeat(1_500)),
      get(`/?${'%'.repeat(15_000)}`),
    ),
  ],
  [
    'paths that are none',
    repeated(
      600,
      ...[
        '/%',
        '/%00',
        '/%ff%fe',
        '*',
        'http://elsewhere.example/',
        'http://[::1',
        '//',
        '/\\\\',
        '/\x80\xff',
        '?',
        'x',
        '/api/v9999999999999/canister//query',
      ].map((path) => get(path)),
    ),
  ],
  ['a path of 100 kB', repeated(200, get(`/${'a'.repeat(100_000)}`))],
  [
    '2,000 headers, and one of 15 kB',
    repeated(
      600,
      get('PATH', ...Array.from({ length: 2_000 }, (_, index) => `h${index % 10}:`)),
      get('PATH', `X: ${'x'.repeat(15_000)}`),
      get('PATH', ...Array.from({ length: 1_500 }, () => 'a: b')),
    ),
  ],
  [
    '3,000 cookies',
    repeated(
      600,
      get('PATH', `Cookie: ${'a=b; '.repeat(3_000)}`),
      get('PATH', `Cookie: ${'='.repeat(15_000)}`),
      get('PATH', `Cookie: __proto__=1; constructor=${'%41'.repeat(4_000)}`),
      get('PATH', `Cookie: token=${'"'.repeat(15_000)}`),
    ),
  ],
  [
    'wrong hosts',
    repeated(
      600,
      ...[
        'evil.example',
        '',
        '[::1',
        `${'a.'.repeat(5_000)}localhost`,
        `${'a'.repeat(15_000)}.localhost`,
        'localhost:99999',
        'localhost@evil.example',
        '127.0.0.1.',
        '%6c',
        'xn--a'.repeat(2_000),
        '-'.repeat(10_000),
      ].map((host) => `GET PATH HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
      'GET PATH HTTP/1.1\r\n\r\n',
      'GET PATH HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    ),
  ],
  [
    'other protocols',
    repeated(
      600,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      Buffer.from('160301020001000001fc0303', 'hex'),
      'GET /\r\n',
      Buffer.alloc(4_096, 0xff),
      Buffer.alloc(4_096),
      '\r\n'.repeat(4_000),
      'SSH-2.0-x\r\n',
      get('PATH', 'Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk'),
      get(
        'PATH',
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Key: x',
        'Sec-WebSocket-Version: 13',
      ),
    ),
  ],
  [
    'other methods',
    repeated(
      600,
      ...[
        'TRACE',
        'CONNECT',
        'PROPFIND',
        'HEAD',
        'OPTIONS',
        'DELETE',
        'PATCH',
        'M-SEARCH',
        'QUERY',
        'x'.repeat(4_000),
      ].map((method) => `${method} PATH HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    ),
  ],
  [
    'ranges and conditions',
    repeated(
      600,
      get('PATH', `Range: bytes=${'0-1,'.repeat(3_500)}`),
      get('PATH', 'Range: bytes=18446744073709551615-'),
      get('PATH', `If-None-Match: ${'"x",'.repeat(3_500)}`),
      get('PATH', `If-Modified-Since: ${'1'.repeat(9_000)}`),
      get('PATH', `Accept-Encoding: ${'gzip;q=0.1,'.repeat(1_300)}`),
      get('PATH', `Accept-Language: ${'a-'.repeat(7_000)}`),
      get('PATH', `Accept: ${'*/*;q=0.001,'.repeat(1_200)}`),
    ),
  ],
  [
    'senders that are named by others',
    repeated(
      600,
      get('PATH', `X-Forwarded-For: ${'1.2.3.4, '.repeat(1_600)}`),
      get('PATH', `Forwarded: ${'for=x;'.repeat(2_500)}`),
      get('PATH', `X-Forwarded-Host: ${'a'.repeat(15_000)}`),
      get('PATH', `Authorization: Basic ${'A'.repeat(15_000)}`),
      get('PATH', `Authorization: Bearer ${'~'.repeat(15_000)}`),
    ),
  ],
];

/** What a client can do to a port before it has asked for anything. */
export const connections: readonly Probe[] = (['network', 'server'] as const).flatMap((at) => {
  const path = at === 'network' ? '/api/v2/status' : '/api/health';
  return KINDS.map(([name, run]): Probe => ({ name, at, run: (attack) => run(attack, path) }));
});
