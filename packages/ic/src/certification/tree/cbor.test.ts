import { Cbor, hashOfMap as agentHashOfMap, reconstruct } from '@icp-sdk/core/agent';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CborError, decodeCbor, encodeCbor, treeFromCbor, treeToCbor } from './cbor.ts';
import { decodeLeb128, encodeLeb128 } from '../bytes.ts';
import { fork, hashOf, type HashTree, labeled, leaf, pruned, EMPTY } from './hash-tree.ts';
import { hashOfMap, UnhashableValueError } from '../signatures/representation-hash.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    bytes,
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value as fc.Arbitrary<unknown>;
const map = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  value,
);

const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constant(EMPTY),
    bytes.map(leaf),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map(pruned),
    fc.tuple(bytes, tie('tree')).map(([label, child]) => labeled(label, child as HashTree)),
    fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => fork(left as HashTree, right as HashTree)),
  ),
})).tree as fc.Arbitrary<HashTree>;

test('what the agent encodes is read, and what is encoded the agent reads', () => {
  fc.assert(
    fc.property(map, (content) => {
      const ours = decodeCbor(Cbor.encode(content as never));
      expect(hashOfMap(ours as Record<string, unknown>)).toEqual(hashOfMap(content));
      const theirs = Cbor.decode<Record<string, unknown>>(encodeCbor(content));
      expect(hashOfMap(theirs)).toEqual(hashOfMap(content));
    }),
  );
});

test("the representation-independent hash is the agent's", () => {
  fc.assert(
    fc.property(map, (content) => {
      expect(Buffer.from(hashOfMap(content))).toEqual(Buffer.from(agentHashOfMap(content)));
    }),
  );
  expect(() => hashOfMap({ a: 1.5 })).toThrow(UnhashableValueError);
  expect(() => hashOfMap({ a: null })).toThrow(UnhashableValueError);
});

test('hash trees survive the wire and hash as the agent hashes them', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (original) => {
      const wire = encodeCbor(treeToCbor(original));
      expect(hashOf(treeFromCbor(decodeCbor(wire)))).toEqual(hashOf(original));
      expect(Buffer.from(await reconstruct(Cbor.decode(wire)))).toEqual(Buffer.from(hashOf(original)));
    }),
  );
});

test('whatever bytes come in, decoding ends with a value or a CborError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
      try {
        treeFromCbor(decodeCbor(input));
      } catch (error) {
        expect(error).toBeInstanceOf(CborError);
      }
    }),
    { numRuns: 2000 },
  );
});

test('hostile nesting and huge lengths are refused without harm', () => {
  expect(() => decodeCbor(new Uint8Array(4_000_000).fill(0x81))).toThrow('nested too deeply');
  expect(() => decodeCbor(Uint8Array.of(0x9b, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))).toThrow(
    CborError,
  );
  expect(() => decodeCbor(Uint8Array.of(0x5a, 0xff, 0xff, 0xff, 0xff))).toThrow(CborError);
  expect(() => decodeCbor(Uint8Array.of(0xa2, 0x61, 0x61, 1, 0x61, 0x61, 2))).toThrow('repeat map key');
});

test('LEB128 numbers of any size are read back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), (number) => {
      expect(decodeLeb128(encodeLeb128(number))).toBe(number);
    }),
  );
  expect(encodeLeb128(624485)).toEqual(Uint8Array.of(0xe5, 0x8e, 0x26));
});
