import { decode, encode } from 'cborg';
import { fork, type HashTree, EMPTY, labeled, leaf, pruned } from './hash-tree.ts';

/** The tag that marks a byte string as CBOR (RFC 8949, 3.4.6); every answer of the IC interface starts with it. */
const SELF_DESCRIBED = 55799;
const SELF_DESCRIBED_BYTES = [0xd9, 0xd9, 0xf7];

/** The input was not the CBOR that was asked for; the message says why in words a client may see. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** Self-described CBOR. Properties that are undefined are left out. */
export function encodeCbor(value: unknown): Uint8Array {
  const body = encode(value, { ignoreUndefinedProperties: true });
  const bytes = new Uint8Array(SELF_DESCRIBED_BYTES.length + body.length);
  bytes.set(SELF_DESCRIBED_BYTES);
  bytes.set(body, SELF_DESCRIBED_BYTES.length);
  return bytes;
}

/** Reads one CBOR value, tagged as self-described or not; maps become objects. Throws `CborError`. */
export function decodeCbor(bytes: Uint8Array): unknown {
  return decodeWith(bytes, false);
}

/** The same for values whose maps may have keys that are no text, such as keys in COSE; maps become `Map`s. */
export function decodeCborMaps(bytes: Uint8Array): unknown {
  return decodeWith(bytes, true);
}

function decodeWith(bytes: Uint8Array, useMaps: boolean): unknown {
  try {
    const value: unknown = decode(bytes, {
      useMaps,
      rejectDuplicateMapKeys: true,
      tags: { [SELF_DESCRIBED]: (content) => content() },
    });
    return value;
  } catch (error) {
    // A RangeError is the call stack running out on hostile nesting.
    const reason = error instanceof RangeError ? 'nested too deeply' : String((error as Error).message);
    throw new CborError(`not valid CBOR: ${reason.replace(/^CBOR decode error: /, '')}`);
  }
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
