import { gzipSync } from 'node:zlib';
import { type Attack, posted, requestOf } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MEBIBYTE = 1024 * 1024;
/** A little less than the longest body of JSON. */
const LARGEST = MEBIBYTE - 100;
const JSON_TYPE = 'application/json';

/** What a user may send most of the calls. */
const PATHS = [
  '/api/deploy/detect',
  '/api/registry/add',
  '/api/canister/call',
  '/api/products',
  '/api/deploy/plan',
];

const fill = (start: string, part: string, end: string, bytes = LARGEST): Buffer =>
  Buffer.from(
    start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end,
    'latin1',
  );

const nested = (open: string, close: string, middle = '1', bytes = LARGEST): Buffer => {
  const times = Math.floor((bytes - middle.length) / (open.length + close.length));
  return Buffer.from(open.repeat(times) + middle + close.repeat(times));
};

const bodies: Readonly<Record<string, () => Buffer>> = {
  'lists in each other': () => nested('[', ']'),
  'lists that do not end': () => fill('', '[', ''),
  'objects in each other': () => nested('{"a":', '}'),
  'a number of a million digits': () => fill('{"name":', '9', '}'),
  'a number with a million zeros behind the point': () => fill('{"name":1.', '0', '1}'),
  'numbers beyond all bounds': () => fill('[', '1e999999999,', '1]'),
  'a text of escapes': () => fill('{"name":"', '\\u0041', '"}'),
  'a text of halves of characters': () => fill('{"name":"', '\\ud800', '"}'),
  'a text of a million letters': () => fill('{"name":"', 'a', '"}'),
  'a text of a million spaces in other scripts': () => fill('{"name":"', '\\u2003', '"}'),
  'a text of NUL': () => fill('{"name":"', '\\u0000', '"}'),
  '100,000 fields': () =>
    Buffer.from(`{${Array.from({ length: 80_000 }, (_, index) => `"f${index}":1`).join(',')}}`),
  'fields that are numbers': () =>
    Buffer.from(`{${Array.from({ length: 60_000 }, (_, index) => `"${index * 70_000}":1`).join(',')}}`),
  'one field again and again': () => fill('{', '"name":1,', '"name":2}'),
  'names of properties of every object': () =>
    fill('{', '"constructor":{"prototype":{}},"toString":1,', '"name":2}'),
  'names of prototypes': () => fill('{', '"__proto__":{"a":1},', '"name":2}'),
  'half a million empty objects': () => fill('{"name":[', '{},', '{}]}'),
  'a million times null': () => fill('[', 'null,', 'null]'),
  'bytes that are no UTF-8': () => fill('{"name":"', '\xff\xc0', '"}'),
  'a megabyte of spaces': () => fill('', ' ', '{}'),
  'a megabyte of NUL': () => Buffer.alloc(LARGEST),
};

const authorized = ({ attacker }: World, ...more: string[]): string[] => [
  `Authorization: Bearer ${attacker.token}`,
  ...more,
];

/** JSON of a user. */
const json = Object.entries(bodies).map(
  ([name, make]): Probe => ({
    name: `JSON: ${name}`,
    at: 'server',
    async run(attack, world) {
      const body = make();
      await attack.all(
        PATHS.map((path) => posted(path, body, JSON_TYPE, ...authorized(world))),
        30,
        10,
      );
    },
  }),
);

/** Sends these bodies, with these headers, by somebody without a session. */
async function asStranger(
  attack: Attack,
  path: string,
  all: readonly Buffer[],
  type = JSON_TYPE,
  count = 400,
): Promise<void> {
  await attack.all(
    all.map((body) => posted(path, body, type)),
    count,
    20,
  );
}

const shorts = (): Buffer[] => [
  nested('[', ']', '1', 16_000),
  nested('{"token":', '}', '1', 16_000),
  fill('{"token":"', '\\u0000', '"}', 16_000),
  fill('{"token":', '9', '}', 16_000),
  fill('{', '"__proto__":{},', '"token":1}', 16_000),
];

const strangers: readonly Probe[] = [
  {
    name: 'hostile JSON without a session, 16 kB',
    at: 'server',
    run: (attack) => asStranger(attack, '/api/auth/exchange', shorts()),
  },
  {
    name: 'JSON of a megabyte without a session',
    at: 'server',
    run: (attack) =>
      asStranger(
        attack,
        '/api/auth/exchange',
        [nested('[', ']'), fill('{"token":"', 'a', '"}')],
        JSON_TYPE,
        100,
      ),
  },
  {
    name: 'JSON of a megabyte for calls of users, without a session',
    at: 'server',
    run: (attack) => asStranger(attack, '/api/deploy/detect', [nested('[', ']')], JSON_TYPE, 100),
  },
  {
    name: 'forms of the sign-in with 5,000 fields',
    at: 'server',
    run: (attack) =>
      asStranger(
        attack,
        '/sign-in/x',
        [
          fill('', 'a[]=b&', '', 16_000),
          fill('login=', '%', '', 16_000),
          fill('', '__proto__[a]=b&', '', 16_000),
          fill('', 'a', '', MEBIBYTE),
        ],
        'application/x-www-form-urlencoded',
      ),
  },
  {
    name: 'absurd types of bodies',
    at: 'server',
    async run(attack) {
      const types = [
        'text/xml',
        `${'a'.repeat(9_000)}/json`,
        `application/json;${'a=b;'.repeat(3_000)}`,
        'multipart/form-data',
        `multipart/form-data; boundary=${'-'.repeat(9_000)}`,
        'application/x-www-form-urlencoded',
        '/',
        'application/json; charset=utf-7',
      ];
      await attack.all(
        types.map((type) => posted('/api/auth/exchange', Buffer.from('{"token":"x"}'), type)),
        600,
        20,
      );
    },
  },
];

const packed: readonly Probe[] = [
  {
    name: 'JSON that is packed and has a gigabyte',
    at: 'server',
    async run(attack, world) {
      const bomb = Buffer.concat(
        Array.from({ length: 10 }, () => gzipSync(Buffer.alloc(100 * MEBIBYTE, ' '), { level: 1 })),
      );
      const headers = authorized(world, 'Content-Encoding: gzip');
      const short = bomb.subarray(0, LARGEST);
      await attack.all(
        [...PATHS, '/api/auth/exchange'].map((path) => posted(path, short, JSON_TYPE, ...headers)),
        60,
      );
    },
  },
  {
    name: 'JSON of a megabyte that does not come to its end, 100 times',
    at: 'server',
    millis: 5_000,
    async run(attack, world) {
      const whole = posted(PATHS[0] ?? '', Buffer.alloc(LARGEST, ' '), JSON_TYPE, ...authorized(world));
      await attack.many(100, 100, async () => {
        attack.open().write(whole.subarray(0, -1));
        await attack.hold();
      });
    },
  },
  {
    name: 'JSON of 60 kB that does not come to its end, 1,000 times',
    at: 'server',
    millis: 5_000,
    async run(attack, world) {
      const whole = posted(PATHS[0] ?? '', Buffer.alloc(60_000, ' '), JSON_TYPE, ...authorized(world));
      await attack.many(1_000, 1_000, async () => {
        attack.open().write(whole.subarray(0, -1));
        await attack.hold();
      });
    },
  },
  {
    name: 'JSON of 16 kB without a session that does not come to its end, 3,000 times',
    at: 'server',
    millis: 6_000,
    async run(attack) {
      const whole = posted('/api/auth/exchange', Buffer.alloc(16_000, ' '), JSON_TYPE);
      await attack.many(3_000, 3_000, async (index) => {
        attack.open(`127.3.4.${(index % 20) + 1}`).write(whole.subarray(0, -1));
        await attack.hold();
      });
    },
  },
];

const questions: readonly Probe[] = [
  {
    name: 'searches of 15 kB, and for names of every object',
    at: 'server',
    async run(attack, world) {
      const texts = [
        'a%20'.repeat(3_500),
        '%25'.repeat(4_500),
        '__proto__',
        'constructor&__proto__[x]=1',
        '%F0%9F%98%80'.repeat(1_200),
        "'%22%5C".repeat(1_800),
      ];
      const paths = [
        '/api/marketplace/?search=',
        '/api/registry/page?search=',
        '/api/marketplace/?q=',
        '/api/registry/page?q=',
      ];
      const requests = paths.flatMap((path) =>
        texts.map((text) => requestOf(`GET ${path}${text}`, { headers: authorized(world) })),
      );
      await attack.all(requests, 240, 20);
    },
  },
  {
    name: 'ids that are none',
    at: 'server',
    async run(attack, world) {
      const ids = [
        'x',
        '%00',
        'a'.repeat(299),
        '..%2f..',
        '__proto__',
        '-1',
        '99999999999999999999',
        '%F0%9F%98%80'.repeat(20),
      ];
      const paths = [
        '/api/deploy/',
        '/api/canister/status/',
        '/api/document/get/',
        '/api/registry/',
        '/api/marketplace/',
        '/api/statuslogs/',
      ];
      const requests = paths.flatMap((path) =>
        ids.map((id) => requestOf(`GET ${path}${id}`, { headers: authorized(world) })),
      );
      await attack.all(requests, 300, 20);
    },
  },
  {
    name: 'as many calls as there is time for, of one user',
    at: 'server',
    async run(attack, world) {
      const paths = ['/api/canister/list/', '/api/deploy', '/api/transactions/', '/api/marketplace/'];
      await attack.all(
        paths.map((path) => requestOf(`GET ${path}`, { headers: authorized(world) })),
        5_000,
        100,
      );
    },
  },
  {
    name: 'tokens that are none, each another one',
    at: 'server',
    async run(attack) {
      await attack.many(3_000, 50, (index) =>
        attack.send(
          requestOf('GET /api/user/profile', {
            headers: [`Authorization: Bearer ${index}${'x'.repeat(400)}`],
          }),
        ),
      );
    },
  },
  {
    name: 'tokens that are none, from 200 addresses',
    at: 'server',
    async run(attack) {
      await attack.many(4_000, 50, (index) =>
        attack.send(
          requestOf('GET /api/user/profile', {
            headers: [`Authorization: Bearer ${index}${'x'.repeat(400)}`],
          }),
          {
            from: `127.3.5.${(index % 200) + 1}`,
          },
        ),
      );
    },
  },
];

/** Bodies and questions for the server's calls. */
export const calls: readonly Probe[] = [...json, ...strangers, ...packed, ...questions];
