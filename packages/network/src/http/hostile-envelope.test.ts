import { generateKeyPairSync } from 'node:crypto';
import { encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../test/expect-linear.ts';
import { keptBytes } from '../../test/free-memory.ts';
import { selfAuthenticatingId } from '../certification/hash.ts';
import { authenticate } from './authentication.ts';
import { parseEnvelope } from './envelope.ts';
import { importKey, verifySignature } from './public-key.ts';
import { RequestError } from './request-error.ts';

const MEBIBYTE = 1024 * 1024;
const NOBODY = { wasIssued: () => Promise.resolve(false) };
const NOW = BigInt(Date.now()) * 1_000_000n;

const content = {
  request_type: 'call',
  canister_id: new Uint8Array(10).fill(1),
  method_name: 'm',
  arg: new Uint8Array(8),
  sender: Uint8Array.of(4),
  ingress_expiry: NOW + 60_000_000_000n,
};
const head = (type: number, count: number): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes[0] = (type << 5) | 26;
  bytes.writeUInt32BE(count, 1);
  return bytes;
};
const text = (word: string): Buffer => Buffer.from(encode(word));

/** The content with one more field, put together by hand, or an envelope with one. */
function withField(name: string, value: Uint8Array, where: 'content' | 'envelope' = 'content'): Buffer {
  const map = (fields: Record<string, unknown>, more: readonly Uint8Array[]): Buffer =>
    Buffer.concat([
      Buffer.of(0xa0 + Object.keys(fields).length + more.length / 2),
      ...Object.entries(fields).flatMap(([key, each]) => [text(key), Buffer.from(encode(each))]),
      ...more,
    ]);
  const field = [text(name), value];
  if (where === 'envelope') return map({ content }, field);
  const { request_type: _, ...rest } = content;
  const type = name === 'paths' ? 'read_state' : 'call';
  return Buffer.concat([Buffer.of(0xa1), text('content'), map({ request_type: type, ...rest }, field)]);
}

const list = (count: number, item: Uint8Array): Buffer =>
  Buffer.concat([head(4, count), Buffer.alloc(count * item.length, item)]);
const bytes = (length: number): Buffer => Buffer.concat([head(2, length), Buffer.alloc(length, 7)]);
const EMPTY_MAP = Buffer.of(0xa0);
const delegation = (targets: number): Buffer =>
  Buffer.concat([
    Buffer.of(0xa2),
    text('signature'),
    Buffer.from(encode(new Uint8Array(64))),
    text('delegation'),
    Buffer.of(0xa3),
    text('pubkey'),
    Buffer.from(encode(new Uint8Array(44))),
    text('expiration'),
    Buffer.from(encode(NOW)),
    text('targets'),
    list(targets, Buffer.from(encode(new Uint8Array(10)))),
  ]);

/** Everything a stranger can make large or deep in a request, as big as a body may be. */
const attacks: Readonly<Record<string, (size: number) => Buffer>> = {
  'empty maps in a field nobody knows': (size) => withField('x', list(size, EMPTY_MAP)),
  'empty maps for labels of paths': (size) => withField('paths', list(size, EMPTY_MAP)),
  'empty maps for delegations': (size) => withField('sender_delegation', list(size, EMPTY_MAP), 'envelope'),
  'empty maps beside the content': (size) => withField('x', list(size, EMPTY_MAP), 'envelope'),
  'empty maps for the whole request': (size) => list(size, EMPTY_MAP),
  'numbers in a field nobody knows': (size) => withField('x', list(size, Buffer.of(1))),
  'empty lists in a field nobody knows': (size) => withField('x', list(size, Buffer.of(0x80))),
  'a list without a length': (size) =>
    withField('x', Buffer.concat([Buffer.of(0x9f), Buffer.alloc(size, 1), Buffer.of(0xff)])),
  'lists without a length in each other': (size) => withField('x', Buffer.alloc(size, 0x9f)),
  'lists in each other': (size) => withField('x', Buffer.alloc(size, 0x81)),
  'maps in each other': (size) => withField('x', Buffer.alloc(size, Buffer.of(0xa1, 0x60))),
  'marks of CBOR before the request': (size) => Buffer.alloc(size, Buffer.of(0xd9, 0xd9, 0xf7)),
  'marks of CBOR before a value': (size) =>
    withField('x', Buffer.concat([Buffer.alloc(size, Buffer.of(0xd9, 0xd9, 0xf7)), Buffer.of(1)])),
  'paths of empty labels': (size) =>
    withField('paths', list(Math.ceil(size / 128), list(127, Buffer.of(0x40)))),
  'empty paths': (size) => withField('paths', list(size, Buffer.of(0x80))),
  'one long path': (size) => withField('paths', list(1, list(size, Buffer.of(0x40)))),
  'many fields': (size) =>
    Buffer.concat([
      Buffer.of(0xa1),
      text('content'),
      head(5, Math.ceil(size / 8)),
      ...Array.from({ length: Math.ceil(size / 8) }, (_, index) =>
        Buffer.concat([text(`f${index}`), Buffer.of(1)]),
      ),
    ]),
  'many delegations': (size) =>
    withField('sender_delegation', list(Math.ceil(size / 100), delegation(1)), 'envelope'),
  'targets of a delegation': (size) =>
    withField('sender_delegation', list(1, delegation(Math.ceil(size / 11))), 'envelope'),
  'targets of twenty delegations': (size) =>
    withField('sender_delegation', list(20, delegation(Math.ceil(size / 220))), 'envelope'),
  'a long argument': (size) => withField('x', bytes(size)),
  'a long key': (size) => withField('sender_pubkey', bytes(size), 'envelope'),
  'a long signature': (size) => withField('sender_sig', bytes(size), 'envelope'),
  'a long name of a field': (size) =>
    withField('x', Buffer.concat([Buffer.of(1), head(3, size), Buffer.alloc(size, 97)])),
  'a long text': (size) => withField('x', Buffer.concat([head(3, size), Buffer.alloc(size, 97)])),
  'a long method name': (size) =>
    withField('method_name', Buffer.concat([head(3, size), Buffer.alloc(size, 97)])),
  'a long nonce': (size) => withField('nonce', bytes(size)),
  'information about the sender': (size) =>
    withField('sender_info', Buffer.concat([Buffer.of(0xa1), text('x'), list(size, EMPTY_MAP)])),
};

describe('twice a hostile request takes at most twice the time, and the largest one little', () => {
  test.each(Object.entries(attacks))('%s', async (_name, input) => {
    // What is long but flat is hashed once: 4 MiB take some 20 ms where the machine has nothing for it.
    await expectLinear({ input, read: parseEnvelope, cap: 4 * MEBIBYTE }, 60);
  });
});

test('two million empty maps, unsigned, do not keep the thread that serves', () => {
  const body = withField('x', list(2_000_000, EMPTY_MAP));
  const start = process.cpuUsage();
  expect(() => parseEnvelope(body)).toThrow(RequestError);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(100);
});

test('a list that claims more than there is, and one of 2^64 items, are refused before anything is made', () => {
  const claims = ['9affffffff', '9bffffffffffffffff', 'baffffffff', 'bbffffffffffffffff', '5affffffff'];
  for (const claim of [...claims, '7bffffffffffffffff', '1c', 'bf', '9f', '5f4100ff', 'f93c00', 'c074']) {
    expect(() => parseEnvelope(withField('x', Buffer.from(claim, 'hex')))).toThrow(RequestError);
    expect(() => parseEnvelope(Buffer.from(claim, 'hex'))).toThrow(RequestError);
  }
});

test('a name that every object has is a field like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const { requestId } = parseEnvelope(withField(name, Buffer.of(1)));
    expect(requestId).not.toEqual(parseEnvelope(withField(name, Buffer.of(2))).requestId);
    expect(() => parseEnvelope(withField(name, EMPTY_MAP))).toThrow('may not hold a map');
  }
});

/** SubjectPublicKeyInfo of a canister's key with a seed of so many bytes. */
function canisterKey(seedBytes: number, fill: number): Buffer {
  const element = (tag: number, body: Uint8Array): Buffer => {
    const { length } = body;
    return Buffer.concat([Buffer.of(tag, 0x83, length >> 16, (length >> 8) & 255, length & 255), body]);
  };
  const seed = Buffer.alloc(seedBytes, fill);
  const oid = Buffer.from('300c060a2b0601040183b8430102', 'hex');
  return element(0x30, Buffer.concat([oid, element(0x03, Buffer.concat([Buffer.of(0, 1, fill), seed]))]));
}

/** The status of a refusal; `expect(…).rejects` would keep what it was given to the end of the test. */
async function refusalOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    await ask();
    return 'accepted';
  } catch (error) {
    return error instanceof RequestError ? error.status : 'refused';
  }
}

test('keys of strangers leave nothing behind: neither long ones nor many', { timeout: 60_000 }, async () => {
  const before = await keptBytes();
  for (let count = 0; count < 60; count += 1) {
    const key = canisterKey(2 * MEBIBYTE, count);
    const sender = selfAuthenticatingId(key);
    const body = encode({
      content: { ...content, sender },
      sender_pubkey: new Uint8Array(key),
      sender_sig: new Uint8Array(8),
    });
    expect(await refusalOf(async () => authenticate(parseEnvelope(body), NOW, NOBODY))).toBe(400);
  }
  expect((await keptBytes()) - before).toBeLessThan(16 * MEBIBYTE);
  for (let count = 0; count < 300; count += 1) {
    const { publicKey } = generateKeyPairSync('ed25519');
    const der = publicKey.export({ type: 'spki', format: 'der' });
    const verify = () => verifySignature(der, new Uint8Array(32), new Uint8Array(64), NOBODY);
    expect(await refusalOf(verify)).toBe('refused');
  }
  expect((await keptBytes()) - before).toBeLessThan(16 * MEBIBYTE);
});

test('keys and signatures longer than any of their kind are refused before they are read', () => {
  expect(() => importKey(canisterKey(2000, 1))).toThrow('Invalid public key');
  expect(() => importKey(new Uint8Array(100_000).fill(0x30))).toThrow('have at most');
  expect(() => parseEnvelope(withField('sender_pubkey', bytes(1345), 'envelope'))).toThrow('is longer than');
  expect(() => parseEnvelope(withField('sender_sig', bytes(32_769), 'envelope'))).toThrow('is longer than');
});
