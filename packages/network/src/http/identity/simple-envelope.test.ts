import { randomBytes, randomInt } from 'node:crypto';
import { encode } from 'cborg';
import { expect, test } from 'vitest';
import { type Envelope, parseEnvelope } from './envelope.ts';
import { RequestError } from '../transport/request-error.ts';
import { parseSimpleEnvelope } from './simple-envelope.ts';

type Fields = Record<string, unknown>;

const content = (change: Fields = {}): Fields => ({
  request_type: 'query',
  canister_id: new Uint8Array(10).fill(1),
  method_name: 'get',
  arg: new Uint8Array(randomBytes(30)),
  sender: Uint8Array.of(4),
  ingress_expiry: 1_800_000_000_000_000_000n,
  ...change,
});
const tagged = (envelope: Fields): Buffer =>
  Buffer.concat([Buffer.of(0xd9, 0xd9, 0xf7), encode(envelope, { ignoreUndefinedProperties: true })]);

/** The same values whatever class their bytes are of. */
function plain(envelope: Envelope | undefined): unknown {
  const text = JSON.stringify(envelope, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    const bytes = value as { type?: string; data?: number[] };
    if (bytes?.type === 'Buffer') return Buffer.from(bytes.data ?? []).toString('hex');
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
  return text === undefined ? undefined : JSON.parse(text);
}

function parseAnyhow(body: Buffer): Envelope | undefined {
  try {
    return parseEnvelope(body);
  } catch (error) {
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

test.each([
  ['an anonymous query', { content: content() }],
  ['a call with a nonce', { content: content({ request_type: 'call', nonce: new Uint8Array(16).fill(3) }) }],
  ['a long argument', { content: content({ arg: new Uint8Array(70_000) }) }],
  ['an argument of 300 bytes', { content: content({ arg: new Uint8Array(300) }) }],
  ['an expiry that is a small number', { content: content({ ingress_expiry: 77 }) }],
  ['the management canister', { content: content({ canister_id: new Uint8Array() }) }],
  [
    'a signed query',
    { content: content(), sender_pubkey: new Uint8Array(44), sender_sig: new Uint8Array(64) },
  ],
])('%s is read as the general decoder reads it', (_name, envelope) => {
  for (const body of [tagged(envelope), Buffer.from(encode(envelope))]) {
    const simple = parseSimpleEnvelope(body);
    expect(simple).toBeDefined();
    expect(plain(simple)).toEqual(plain(parseEnvelope(body)));
  }
});

test.each([
  ['a state read', { content: { ...content(), request_type: 'read_state', paths: [] } }],
  ['a delegation', { content: content(), sender_delegation: [] }],
  ['a field it does not know', { content: content({ sender_info: {} }) }],
  ['a missing field', { content: content({ arg: undefined }) }],
  ['a name beyond ASCII', { content: content({ method_name: 'grüßen' }) }],
  ['a sender that is too long', { content: content({ sender: new Uint8Array(30) }) }],
  ['a nonce that is too long', { content: content({ nonce: new Uint8Array(33) }) }],
  ['a negative expiry', { content: content({ ingress_expiry: -1 }) }],
  ['no content', { sender_pubkey: new Uint8Array(44) }],
])('%s is left to the general decoder', (_name, envelope) => {
  expect(parseSimpleEnvelope(tagged(envelope))).toBeUndefined();
});

test('a field that comes twice, bytes left over and indefinite lengths are left to the general decoder', () => {
  const body = tagged({ content: content() });
  expect(parseSimpleEnvelope(Buffer.concat([body, Buffer.of(0)]))).toBeUndefined();
  const twice = Buffer.concat([Buffer.of(0xa2), ...Array<Uint8Array>(2).fill(body.subarray(4))]);
  expect(parseSimpleEnvelope(twice)).toBeUndefined();
  const indefinite = Buffer.concat([Buffer.of(0xbf), body.subarray(4), Buffer.of(0xff)]);
  expect(parseSimpleEnvelope(indefinite)).toBeUndefined();
  expect(parseSimpleEnvelope(Buffer.alloc(0))).toBeUndefined();
});

test('whatever the simple decoder takes, the general one takes and reads in the same way', () => {
  const original = tagged({
    content: content({ nonce: new Uint8Array(8) }),
    sender_pubkey: new Uint8Array(44),
    sender_sig: new Uint8Array(64),
  });
  let taken = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const body = Buffer.from(original);
    for (let change = randomInt(3); change >= 0; change -= 1) body[randomInt(body.length)] = randomInt(256);
    const cut = randomInt(10) === 0 ? body.subarray(0, randomInt(body.length)) : body;
    const simple = parseSimpleEnvelope(cut);
    if (!simple) continue;
    taken += 1;
    expect(plain(simple), cut.toString('hex')).toEqual(plain(parseAnyhow(cut)));
  }
  expect(taken).toBeGreaterThan(250);
});
