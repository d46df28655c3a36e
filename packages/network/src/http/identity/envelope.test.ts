import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { parseEnvelope } from './envelope.ts';
import { checkExpiry } from './expiry.ts';
import { RequestError } from '../transport/request-error.ts';
import { parseRoute } from '../endpoints/route.ts';

const content = {
  request_type: 'call',
  canister_id: Uint8Array.of(1),
  method_name: 'm',
  arg: new Uint8Array(),
  sender: Uint8Array.of(4),
  ingress_expiry: 1n,
};
const parse = (change: Record<string, unknown>): unknown =>
  parseEnvelope(encodeCbor({ content: { ...content, ...change } }));

describe('a malformed request is refused with a reason', () => {
  test.each([
    [{ request_type: 'dance' }, 'unknown request_type "dance"'],
    [{ method_name: 5 }, 'field method_name must be text'],
    [{ arg: 'text' }, 'field arg must be bytes'],
    [{ canister_id: new Uint8Array(30) }, 'field canister_id is too long for a principal'],
    [{ sender: undefined }, 'field sender must be bytes'],
    [{ ingress_expiry: -1 }, 'field ingress_expiry must be a natural number'],
    [{ nonce: new Uint8Array(33) }, 'got 33 bytes, but at most 32 are allowed'],
    [{ request_type: 'read_state', paths: [[1]] }, 'each path must be an array of bytes'],
    [
      { request_type: 'read_state', paths: Array(1001).fill([]) },
      'got 1001 paths, but at most 1000 are allowed',
    ],
    [{ sender_info: {} }, 'field info must be bytes'],
    [{ extra: 1.5 }, 'only text, bytes'],
    [{ method_name: 'm'.repeat(20_001) }, 'field method_name is longer than 20000 bytes'],
  ])('%j', (change, reason) => {
    expect(() => parse(change)).toThrow(reason);
  });

  test.each([1_000, 4_000, 100_000])('values nested %i deep', (depth) => {
    const key = (name: string): number[] => [0x60 + name.length, ...Buffer.from(name)];
    const whole = encodeCbor({ content: { ...content, request_type: 'dance' } });
    // The map of the content gets one more entry, an array in an array in an array.
    const at = whole.indexOf(0xa6);
    const nested = [0xa7, ...key('extra'), ...Array<number>(depth).fill(0x81), 1];
    const body = Uint8Array.from([...whole.subarray(0, at), ...nested, ...whole.subarray(at + 1)]);
    expect(() => parseEnvelope(body)).toThrow(RequestError);
  });

  test('whatever bytes come in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (body) => {
        expect(() => parseEnvelope(body)).toThrow(RequestError);
      }),
    );
  });
});

describe('the expiry of a request', () => {
  const now = 1_746_143_718_005_285_297n;
  const minutes = (count: number): bigint => now + BigInt(count * 60) * 1_000_000_000n;

  test('may lie up to five and a half minutes ahead', () => {
    expect(() => checkExpiry(now, now)).not.toThrow();
    expect(() => checkExpiry(minutes(5.5), now)).not.toThrow();
  });

  test('is refused outside of that with the text agents look for', () => {
    for (const expiry of [now - 1n, minutes(5.5) + 1n, 2n ** 64n - 1n]) {
      expect(() => checkExpiry(expiry, now)).toThrow(
        'Invalid request expiry: Specified ingress_expiry not within expected range: ' +
          'Minimum allowed expiry: 2025-05-01 23:55:18.005285297 UTC, ' +
          'Maximum allowed expiry: 2025-05-02 00:00:48.005285297 UTC, Provided expiry: ',
      );
    }
  });
});

describe('routes', () => {
  test.each([
    ['/api/v2/canister/aaaaa-aa/call', { scope: 'canister', endpoint: 'call', version: 2 }],
    ['/api/v3/canister/aaaaa-aa/call', { scope: 'canister', endpoint: 'call', version: 3 }],
    ['/api/v4/canister/aaaaa-aa/call', { scope: 'canister', endpoint: 'call', version: 4 }],
    ['/api/v3/canister/aaaaa-aa/query', { scope: 'canister', endpoint: 'query', version: 3 }],
    ['/api/v2/subnet/aaaaa-aa/read_state', { scope: 'subnet', endpoint: 'read_state', version: 2 }],
  ])('%s', (path, expected) => {
    expect(parseRoute(path)).toMatchObject(expected);
  });

  test('unknown versions and addresses are none', () => {
    for (const path of ['/api/v5/canister/aaaaa-aa/call', '/api/v2/canister/aaaaa-aa', '/api/v2/other']) {
      expect(parseRoute(path)).toBeUndefined();
    }
    expect(() => parseRoute('/api/v2/canister/not-a-principal/call')).toThrow(RequestError);
  });
});
