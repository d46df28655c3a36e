import { generateKeyPairSync } from 'node:crypto';
import { encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../test/expect-linear.ts';
import { keptBytes } from '../../test/free-memory.ts';
import {
  bytes,
  content,
  EMPTY_MAP,
  hostileEnvelopes,
  list,
  withField,
} from '../../test/hostile/hostile-envelopes.ts';
import { selfAuthenticatingId } from '@cannery/ic/certification/signatures/hash';
import { authenticate } from './identity/authentication.ts';
import { parseEnvelope } from './identity/envelope.ts';
import { importKey, verifySignature } from './identity/public-key.ts';
import { RequestError } from './transport/request-error.ts';

const MEBIBYTE = 1024 * 1024;
const NOBODY = { wasIssued: () => Promise.resolve(false) };
const NOW = BigInt(Date.now()) * 1_000_000n;

describe('twice a hostile request takes at most twice the time, and the largest one little', () => {
  test.each(Object.entries(hostileEnvelopes))('%s', async (_name, input) => {
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

/** SubjectPublicKeyInfo of a canister's key with a seed of this many bytes. */
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
