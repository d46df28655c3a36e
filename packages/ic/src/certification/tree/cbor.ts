import { encode } from 'cborg';
import { Budget, type Limits } from '../../budget.ts';
import { CborError, CborReader } from './cbor-reader.ts';
import { fork, type HashTree, EMPTY, labeled, leaf, pruned } from './hash-tree.ts';

export { CborError } from './cbor-reader.ts';

/** The head of the tag that marks CBOR as such (RFC 8949, 3.4.6); every answer of the IC interface starts with it. */
const SELF_DESCRIBED_BYTES = [0xd9, 0xd9, 0xf7];

/**
 * What a value may cost to read where its reader says nothing else. The depth is that of the decoder of the replica
 * (`serde_cbor`: 128); a certificate has some hundreds of values.
 */
export const CBOR_LIMITS: Limits = { values: 20_000, depth: 128, bytes: 4 * 1024 * 1024 };

/** Self-described CBOR. Properties that are undefined are left out. */
export function encodeCbor(value: unknown): Uint8Array {
  const body = encode(value, { ignoreUndefinedProperties: true });
  const bytes = new Uint8Array(SELF_DESCRIBED_BYTES.length + body.length);
  bytes.set(SELF_DESCRIBED_BYTES);
  bytes.set(body, SELF_DESCRIBED_BYTES.length);
  return bytes;
}

/** Reads one CBOR value, tagged as self-described or not; maps become objects. Throws `CborError`. */
export function decodeCbor(bytes: Uint8Array, limits: Limits = CBOR_LIMITS): unknown {
  return decodeWith(bytes, limits, false);
}

/** The same for values whose maps may have keys that are no text, such as keys in COSE; maps become `Map`s. */
export function decodeCborMaps(bytes: Uint8Array, limits: Limits = CBOR_LIMITS): unknown {
  return decodeWith(bytes, limits, true);
}

function decodeWith(bytes: Uint8Array, limits: Limits, useMaps: boolean): unknown {
  const reader = new CborReader(bytes, new Budget(limits));
  const value = reader.value(useMaps);
  reader.end();
  return value;
}

type TreeArray = readonly [number, ...unknown[]];

/** The array form in which certificates carry a hash tree. */
export function treeToCbor(tree: HashTree): TreeArray {
  switch (tree.kind) {
    case 'empty':
      return [0];
    case 'fork':
      return [1, treeToCbor(tree.left), treeToCbor(tree.right)];
    case 'labeled':
      return [2, tree.label, treeToCbor(tree.child)];
    case 'leaf':
      return [3, tree.value];
    case 'pruned':
      return [4, tree.hash];
  }
}

/** Reads the array form of a hash tree. Throws `CborError` when `value` is something else. */
export function treeFromCbor(value: unknown): HashTree {
  if (!Array.isArray(value)) throw new CborError('a hash tree must be an array');
  const [kind, first, second] = value as unknown[];
  if (kind === 0 && value.length === 1) return EMPTY;
  if (kind === 1 && value.length === 3) return fork(treeFromCbor(first), treeFromCbor(second));
  if (kind === 2 && value.length === 3 && first instanceof Uint8Array)
    return labeled(first, treeFromCbor(second));
  if (kind === 3 && value.length === 2 && first instanceof Uint8Array) return leaf(first);
  if (kind === 4 && value.length === 2 && first instanceof Uint8Array && first.length === 32)
    return pruned(first);
  throw new CborError('a hash tree node has an unknown form');
}
