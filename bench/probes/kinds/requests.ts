import { encode } from 'cborg';
import { hostileEnvelopes, withField } from '../../../packages/network/test/hostile/hostile-envelopes.ts';
import { posted } from '../attack.ts';
import type { Probe } from '../probe.ts';
import type { World } from '../world.ts';

const MEBIBYTE = 1024 * 1024;
/** A little less than the longest body the network reads. */
const LARGEST = 4 * MEBIBYTE - 4_096;

type Made = Uint8Array | ((world: World) => Uint8Array);

/** Sends these bytes as a call, a query and a question for the state. */
function requestProbe(name: string, bodies: readonly Made[], count = 24): Probe {
  return {
    name,
    at: 'network',
    async run(attack, world) {
      const requests = bodies.flatMap((made) => {
        const body = made instanceof Uint8Array ? made : made(world);
        const short = body.length > LARGEST ? body.subarray(0, LARGEST) : body;
        return ['call', 'query', 'read_state'].map((kind) =>
          posted(`/api/v3/canister/${world.counter}/${kind}`, short),
        );
      });
      await attack.all(requests, Math.max(count, requests.length));
    },
  };
}

/** Every decoder of the network, with everything that can be made large or deep in it. */
const large = Object.entries(hostileEnvelopes).map(([name, made]) =>
  requestProbe(`${name}, 4 MB`, [() => made(LARGEST)]),
);
/** The same, of a size of which there can be many. */
const small = Object.entries(hostileEnvelopes).map(([name, made]) =>
  requestProbe(`${name}, 300 times 100 kB`, [() => made(100_000)], 300),
);

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const inField = (bytes: Uint8Array): Uint8Array => withField('x', bytes);

const claims: Readonly<Record<string, readonly Buffer[]>> = {
  'CBOR that claims 2^32 items': ['9affffffff', 'baffffffff', '5affffffff', '7affffffff'].map(hex),
  'CBOR that claims 2^63 and 2^64 items': [
    '9b7fffffffffffffff',
    '9bffffffffffffffff',
    'bb7fffffffffffffff',
    '5b7fffffffffffffff',
    '7bffffffffffffffff',
  ].map(hex),
  'CBOR without lengths': ['bf', '9f', '5f', '7f', '5f4100ff', '9f9f9fff', 'bf6161', '7f5f41'].map(hex),
  'CBOR of numbers, times and nothing': [
    'f93c00',
    'fb7ff0000000000000',
    'fa7fc00000',
    'f6',
    'f7',
    'f8ff',
    '1c',
    'c074',
    'c11a00000000',
    'c249',
  ].map(hex),
  'CBOR with tags in each other': [
    Buffer.alloc(100_000, 0xc1),
    Buffer.alloc(1_000_000, Buffer.of(0xd8, 0x40)),
    Buffer.concat([Buffer.alloc(300_000, Buffer.of(0xd9, 0xd9, 0xf7)), Buffer.of(0xa0)]),
  ],
  'CBOR 100,000 deep': [0x81, 0x9f, 0xc1, 0xbf].map((byte) => Buffer.alloc(100_000, byte)),
  'CBOR with numbers of a megabyte': [
    Buffer.concat([hex('c25a00100000'), Buffer.alloc(MEBIBYTE, 0xff)]),
    Buffer.concat([hex('c35a00100000'), Buffer.alloc(MEBIBYTE, 0xff)]),
  ],
  'texts that are no UTF-8': [
    Buffer.concat([hex('7a00100000'), Buffer.alloc(MEBIBYTE, 0xff)]),
    Buffer.concat([hex('7a00100000'), Buffer.alloc(MEBIBYTE, 0xc0)]),
    hex('62c328'),
  ],
  'nothing, and noise': [
    Buffer.alloc(0),
    Buffer.alloc(100_000),
    Buffer.alloc(100_000, 'noise'),
    Buffer.from('{"content":{}}'),
  ],
};

const minute = 60_000_000_000n;
const nanos = (): bigint => BigInt(Date.now()) * 1_000_000n;

function contentOf(
  { counter }: World,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    request_type: 'query',
    canister_id: counter.toUint8Array(),
    method_name: 'get',
    arg: new Uint8Array(),
    sender: Uint8Array.of(4),
    ingress_expiry: nanos() + minute,
    ...more,
  };
}

const ofContent = (name: string, all: readonly Readonly<Record<string, unknown>>[], count = 300): Probe =>
  requestProbe(
    name,
    all.map((more) => (world) => encode({ content: contentOf(world, more) })),
    count,
  );

const label = (length: number): Uint8Array => new Uint8Array(length).fill(97);
const state = { request_type: 'read_state' };
const wide = (count: number, labels: number, length = 1): Uint8Array[][] =>
  Array.from({ length: count }, () => Array.from({ length: labels }, () => label(length)));

const contents: readonly Probe[] = [
  ofContent(
    'moments of expiry',
    [0n, nanos() * 1_000n, (1n << 64n) - 1n, (1n << 63n) - 1n].map((ingress_expiry) => ({
      ingress_expiry,
      sender: new Uint8Array(29).fill(2),
    })),
  ),
  ofContent('senders and canisters that are none', [
    { sender: new Uint8Array(0) },
    { sender: label(30) },
    { sender: label(29) },
    { canister_id: label(29) },
    { canister_id: new Uint8Array(0) },
    { canister_id: label(1_000) },
  ]),
  ofContent('methods with long names, and of the management canister', [
    { method_name: 'm'.repeat(20_000) },
    { method_name: '\0' },
    { method_name: '__proto__' },
    { canister_id: new Uint8Array(), method_name: 'raw_rand', request_type: 'call' },
    { canister_id: new Uint8Array(), method_name: 'http_request', request_type: 'call' },
  ]),
  ofContent(
    'arguments of a megabyte, 60 times',
    [{ arg: new Uint8Array(MEBIBYTE) }, { arg: new Uint8Array(MEBIBYTE), request_type: 'call' }],
    60,
  ),
  ofContent('a thousand paths', [
    { ...state, paths: wide(1_000, 1) },
    { ...state, paths: wide(1_000, 10) },
  ]),
  ofContent('paths of 127 labels, of long labels and of nothing', [
    { ...state, paths: wide(90, 127) },
    { ...state, paths: wide(10, 10, 10_000) },
    { ...state, paths: [[]] },
    { ...state, paths: [] },
  ]),
  ofContent('paths to all that there is', [
    { ...state, paths: [[Buffer.from('canister')]] },
    { ...state, paths: [[Buffer.from('request_status')]] },
    { ...state, paths: [[Buffer.from('subnet')]] },
    { ...state, paths: [[Buffer.from('time')]] },
    {
      ...state,
      paths: [[Buffer.from('canister'), label(10), Buffer.from('metadata'), Buffer.from('candid:service')]],
    },
  ]),
  {
    name: 'certificates asked for without a pause',
    at: 'network',
    async run(attack, world) {
      const body = encode({ content: contentOf(world, { ...state, paths: [[Buffer.from('time')]] }) });
      await attack.all([posted(`/api/v3/canister/${world.counter}/read_state`, body)], 5_000, 40);
    },
  },
  {
    name: 'update calls without a pause, each another one',
    at: 'network',
    async run(attack, world) {
      await attack.many(5_000, 60, async (index) => {
        const nonce = Buffer.from(`${attack.address} ${index}`);
        const body = encode({
          content: contentOf(world, { request_type: 'call', method_name: 'inc', nonce }),
        });
        await attack.send(posted(`/api/v3/canister/${world.counter}/call`, body));
      });
    },
  },
  {
    name: 'queries that take as long as they may',
    at: 'network',
    async run(attack, world) {
      const content = contentOf(world, { method_name: 'spin' });
      await attack.all([posted(`/api/v3/canister/${world.counter}/query`, encode({ content }))], 200, 20);
    },
  },
  {
    name: 'answers that are asked for on one connection and not taken',
    at: 'network',
    async run(attack, world) {
      const body = encode({ content: contentOf(world) });
      const request = posted(`/api/v3/canister/${world.counter}/query`, body);
      const many = Buffer.concat(Array.from({ length: 500 }, () => request));
      await attack.many(40, 40, async () => {
        const socket = attack.open();
        socket.pause();
        await attack.pour(socket, () => many);
      });
    },
  },
  {
    name: 'bodies of 4 MB that stop before their end, 200 times',
    at: 'network',
    async run(attack, world) {
      const whole = posted(`/api/v3/canister/${world.counter}/call`, new Uint8Array(4 * MEBIBYTE));
      await attack.many(200, 200, async () => {
        const socket = attack.open();
        socket.write(whole.subarray(0, -1));
        await attack.hold();
      });
    },
  },
  {
    name: 'the same from 20 addresses',
    at: 'network',
    async run(attack, world) {
      const whole = posted(`/api/v3/canister/${world.counter}/call`, new Uint8Array(4 * MEBIBYTE));
      await attack.many(400, 400, async (index) => {
        const socket = attack.open(`127.3.0.${(index % 20) + 1}`);
        socket.write(whole.subarray(0, -1));
        await attack.hold();
      });
    },
  },
  {
    name: 'addresses of canisters that are none',
    at: 'network',
    async run(attack) {
      const ids = ['aaaaa-aa', 'x', 'a-'.repeat(5_000), '%00', `${'aaaaa-'.repeat(12)}aaa`, '..'];
      const requests = ids.map((id) => posted(`/api/v3/canister/${id}/query`, new Uint8Array(10)));
      await attack.all(requests, 2_000, 20);
    },
  },
];

/** What is sent to the interface of the network. */
export const requests: readonly Probe[] = [
  ...large,
  ...small,
  ...Object.entries(claims).map(([name, all]) =>
    requestProbe(
      name,
      all.flatMap((bytes) => [bytes, inField(bytes)]),
      120,
    ),
  ),
  ...contents,
];
