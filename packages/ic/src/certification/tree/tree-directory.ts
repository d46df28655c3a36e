import { equalBytes } from '../bytes.ts';
import { EMPTY, fork, type ForkNode, type HashTree, labeled, type LabeledNode } from './hash-tree.ts';

/**
 * A directory is a hash tree whose labels are kept sorted by a crit-bit trie: each fork splits its labels on
 * the first bit in which they differ. Setting or removing one label rebuilds only the forks above it, and the
 * shape depends on the labels alone, never on the order in which they came.
 */
export type Directory = HashTree;

/** Each byte counts nine bits: one for "the label reaches this far", then its eight bits from the top. */
const BITS_PER_BYTE = 9;

function bitAt(label: Uint8Array, position: number): 0 | 1 {
  const byte = label[Math.floor(position / BITS_PER_BYTE)];
  if (byte === undefined) return 0;
  const bit = position % BITS_PER_BYTE;
  return bit === 0 || ((byte >> (8 - bit)) & 1) === 1 ? 1 : 0;
}

function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a[index];
    const right = b[index];
    if (left === right) continue;
    const start = index * BITS_PER_BYTE;
    if (left === undefined || right === undefined) return start;
    return start + 1 + Math.clz32(left ^ right) - 24;
  }
  return undefined;
}

/** The labeled node that agrees with `label` on every bit the trie splits on. */
function closest(directory: Directory, label: Uint8Array): LabeledNode | undefined {
  let node = directory;
  while (node.kind === 'fork') node = bitAt(label, node.splitBit) === 0 ? node.left : node.right;
  return node.kind === 'labeled' ? node : undefined;
}

/** The subtree under `label`, or undefined. */
export function getEntry(directory: Directory, label: Uint8Array): HashTree | undefined {
  const node = closest(directory, label);
  return node && equalBytes(node.label, label) ? node.child : undefined;
}

/** The subtree at `path`, or undefined. */
export function getPath(directory: Directory, path: readonly Uint8Array[]): HashTree | undefined {
  let current: HashTree | undefined = directory;
  for (const label of path) {
    if (current === undefined) return undefined;
    current = getEntry(current, label);
  }
  return current;
}

/** A directory in which `label` holds `child`; `directory` itself is unchanged. */
export function setEntry(directory: Directory, label: Uint8Array, child: HashTree): Directory {
  const near = closest(directory, label);
  const entry = labeled(label, child);
  if (near === undefined) return entry;
  const difference = firstDifference(near.label, label);
  return difference === undefined
    ? replaceEntry(directory, entry)
    : insertEntry(directory, entry, difference);
}

function replaceEntry(node: Directory, entry: LabeledNode): Directory {
  if (node.kind !== 'fork') return entry;
  return descend(node, entry.label, (child) => replaceEntry(child, entry));
}

function insertEntry(node: Directory, entry: LabeledNode, difference: number): Directory {
  if (node.kind === 'fork' && node.splitBit < difference) {
    return descend(node, entry.label, (child) => insertEntry(child, entry, difference));
  }
  return bitAt(entry.label, difference) === 0 ? fork(entry, node, difference) : fork(node, entry, difference);
}

function descend(node: ForkNode, label: Uint8Array, change: (child: HashTree) => HashTree): ForkNode {
  return bitAt(label, node.splitBit) === 0
    ? fork(change(node.left), node.right, node.splitBit)
    : fork(node.left, change(node.right), node.splitBit);
}

/** A directory without `label`; `directory` itself is unchanged. */
export function removeEntry(directory: Directory, label: Uint8Array): Directory {
  return getEntry(directory, label) === undefined ? directory : removeExisting(directory, label);
}

function removeExisting(node: Directory, label: Uint8Array): Directory {
  if (node.kind !== 'fork') return EMPTY;
  const changed = descend(node, label, (child) => removeExisting(child, label));
  if (changed.left.kind === 'empty') return changed.right;
  if (changed.right.kind === 'empty') return changed.left;
  return changed;
}

/** The entries next to where `label` would stand; `label` must be absent. Together they prove its absence. */
export function neighbours(directory: Directory, label: Uint8Array): readonly LabeledNode[] {
  const near = closest(directory, label);
  const difference = near && firstDifference(near.label, label);
  if (difference === undefined) return [];
  let node = directory;
  let before: HashTree | undefined;
  let after: HashTree | undefined;
  while (node.kind === 'fork' && node.splitBit < difference) {
    if (bitAt(label, node.splitBit) === 0) {
      after = node.right;
      node = node.left;
    } else {
      before = node.left;
      node = node.right;
    }
  }
  if (bitAt(label, difference) === 0) after = node;
  else before = node;
  return [edge(before, 'right'), edge(after, 'left')].filter((found) => found !== undefined);
}

function edge(tree: HashTree | undefined, side: 'left' | 'right'): LabeledNode | undefined {
  let node = tree;
  while (node?.kind === 'fork') node = node[side];
  return node?.kind === 'labeled' ? node : undefined;
}

/** Which side of `node` holds `label`, for walks that follow several labels at once. */
export function isOnLeft(node: ForkNode, label: Uint8Array): boolean {
  return bitAt(label, node.splitBit) === 0;
}

/** A directory of the given entries. */
export function directoryOf(entries: Iterable<readonly [Uint8Array, HashTree]>): Directory {
  let directory: Directory = EMPTY;
  for (const [label, child] of entries) directory = setEntry(directory, label, child);
  return directory;
}
