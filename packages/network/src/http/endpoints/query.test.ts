import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { encodeReply } from './query.ts';

test.each([0, 1, 23, 24, 255, 256, 65_535, 65_536, 2_000_000])(
  'a reply of %d bytes is the CBOR of its map',
  (length) => {
    const arg = new Uint8Array(randomBytes(length));
    const signature = {
      timestamp: 1_790_000_000_000_000_000n,
      signature: new Uint8Array(randomBytes(64)),
      identity: new Uint8Array(randomBytes(29)),
    };
    const expected = encodeCbor({ status: 'replied', reply: { arg }, signatures: [signature] });
    expect(Buffer.compare(encodeReply(arg, signature), expected)).toBe(0);
  },
);
