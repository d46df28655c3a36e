import { describe, test } from 'vitest';
import { expectLinear } from '../../../../../packages/network/test/expect-linear.ts';
import { verifyCanisterSignature } from './canister-signature.ts';

/** As much as a call of somebody who is not signed in may have. */
const CAP = 16 * 1024;
const FORK = Buffer.of(0x83, 0x01, 0x81, 0x00);
const LABELS = Buffer.of(0x83, 0x02, 0x41, 0x61);

const cbor: Readonly<Record<string, (size: number) => Buffer>> = {
  'lists in lists': (size) => Buffer.alloc(size, 0x81),
  'maps in maps': (size) => Buffer.alloc(size, Buffer.of(0xa1, 0x60)),
  'forks of a tree': (size) => Buffer.alloc(size, FORK),
  'labels of a tree': (size) => Buffer.alloc(size, LABELS),
  'a tree of forks, as deep as it may be': (size) => forks(Math.floor(Math.log2(size / 4))),
  'one blob': (size) => Buffer.concat([Buffer.of(0x59, size >> 8, size & 0xff), Buffer.alloc(size)]),
};

/** A whole tree of this many levels. */
function forks(levels: number): Buffer {
  if (levels === 0) return Buffer.of(0x81, 0x00);
  const below = forks(levels - 1);
  return Buffer.concat([Buffer.of(0x83, 0x01), below, below]);
}

const text = (word: string): Buffer => Buffer.concat([Buffer.of(0x78, word.length), Buffer.from(word)]);

/** A signature whose certificate, or tree, is what a stranger made. */
function signature(part: 'certificate' | 'tree', content: Buffer): Uint8Array {
  const other = part === 'tree' ? text('certificate') : text('tree');
  const made =
    part === 'tree'
      ? content
      : Buffer.concat([Buffer.of(0x59, content.length >> 8, content.length & 0xff), content]);
  return Uint8Array.from(Buffer.concat([Buffer.of(0xa2), other, Buffer.of(0x40), text(part), made]));
}

const readers = {
  'a signature of Internet Identity': 'tree',
  'a certificate of Internet Identity': 'certificate',
} as const;

describe.each(Object.entries(readers))('twice as much of %s takes at most twice the time', (_, part) => {
  test.each(Object.entries(cbor))('%s', async (_name, content) => {
    const read = (bytes: Uint8Array) =>
      verifyCanisterSignature({
        canisterId: 'rdmx6-jaaaa-aaaaa-aaadq-cai',
        seed: Uint8Array.of(1),
        message: Uint8Array.of(1),
        signature: bytes,
        rootKey: new Uint8Array(133),
      });
    await expectLinear({ input: (size) => signature(part, content(size)), read, cap: CAP }, 20);
  });
});
