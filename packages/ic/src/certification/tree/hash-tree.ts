import { domainSeparator, sha256 } from '../signatures/hash.ts';

/**
 * The hash tree of the interface specification ("Certification"). Nodes never change once made, so a subtree
 * can be shared between versions of the state; each node remembers its hash after the first use.
 * Forks made by `tree-directory.ts` carry the number of the label bit on which they split.
 */
export interface EmptyNode {
  readonly kind: 'empty';
}
export interface ForkNode {
  readonly kind: 'fork';
  readonly left: HashTree;
  readonly right: HashTree;
  readonly splitBit: number;
  hash?: Uint8Array;
}
export interface LabeledNode {
  readonly kind: 'labeled';
  readonly label: Uint8Array;
  readonly child: HashTree;
  hash?: Uint8Array;
}
export interface LeafNode {
  readonly kind: 'leaf';
  readonly value: Uint8Array;
  hash?: Uint8Array;
}
export interface PrunedNode {
  readonly kind: 'pruned';
  readonly hash: Uint8Array;
}
export type HashTree = EmptyNode | ForkNode | LabeledNode | LeafNode | PrunedNode;

const EMPTY_DOMAIN = domainSeparator('ic-hashtree-empty');
const FORK_DOMAIN = domainSeparator('ic-hashtree-fork');
const LABELED_DOMAIN = domainSeparator('ic-hashtree-labeled');
const LEAF_DOMAIN = domainSeparator('ic-hashtree-leaf');
const EMPTY_HASH = sha256(EMPTY_DOMAIN);

export const EMPTY: EmptyNode = { kind: 'empty' };

/** A node with a value. */
export function leaf(value: Uint8Array): LeafNode {
  return { kind: 'leaf', value };
}

/** A node that puts `child` under `label`. */
export function labeled(label: Uint8Array, child: HashTree): LabeledNode {
  return { kind: 'labeled', label, child };
}

/** Stands for a subtree of which only the hash is shown. */
export function pruned(hash: Uint8Array): PrunedNode {
  return { kind: 'pruned', hash };
}

/** `splitBit` is left at -1 for forks whose shape is not ours (decoded trees, witnesses). */
export function fork(left: HashTree, right: HashTree, splitBit = -1): ForkNode {
  return { kind: 'fork', left, right, splitBit };
}

/** The root hash of `tree`. */
export function hashOf(tree: HashTree): Uint8Array {
  switch (tree.kind) {
    case 'empty':
      return EMPTY_HASH;
    case 'pruned':
      return tree.hash;
    case 'leaf':
      return (tree.hash ??= sha256(LEAF_DOMAIN, tree.value));
    case 'labeled':
      return (tree.hash ??= sha256(LABELED_DOMAIN, tree.label, hashOf(tree.child)));
    case 'fork':
      return (tree.hash ??= sha256(FORK_DOMAIN, hashOf(tree.left), hashOf(tree.right)));
  }
}

/** `unknown` where the tree was pruned, so that presence can be neither shown nor excluded. */
export type LookupResult =
  | { readonly status: 'found'; readonly tree: HashTree }
  | { readonly status: 'absent' }
  | { readonly status: 'unknown' };

const ABSENT: LookupResult = { status: 'absent' };
const UNKNOWN: LookupResult = { status: 'unknown' };

/** The subtree at `path`, in a tree of any shape (also one received from outside). */
export function lookup(tree: HashTree, path: readonly Uint8Array[]): LookupResult {
  let current = tree;
  for (const label of path) {
    const step = findLabel(current, label);
    if (step.status !== 'found') return step.status === 'unknown' ? UNKNOWN : ABSENT;
    current = step.tree;
  }
  return { status: 'found', tree: current };
}

/** The value of the leaf at `path`, or undefined when there is none or it is hidden. */
export function lookupValue(tree: HashTree, path: readonly Uint8Array[]): Uint8Array | undefined {
  const result = lookup(tree, path);
  return result.status === 'found' && result.tree.kind === 'leaf' ? result.tree.value : undefined;
}

/**
 * Whether labels are in strictly increasing order and no leaf stands beside a label, all the way down
 * (`well_formed` of the interface specification, "Lookup"). Our own trees are; others may not be.
 */
export function isWellFormed(tree: HashTree): boolean {
  if (tree.kind === 'leaf') return true;
  let previous: Uint8Array | undefined;
  for (const entry of entriesOf(tree)) {
    if (entry.kind === 'leaf') return false;
    if (entry.kind !== 'labeled') continue;
    if (previous && Buffer.compare(previous, entry.label) >= 0) return false;
    if (!isWellFormed(entry.child)) return false;
    previous = entry.label;
  }
  return true;
}

/** The nodes of a directory from left to right, without the forks that hold them together. */
function entriesOf(tree: HashTree, found: HashTree[] = []): HashTree[] {
  if (tree.kind === 'fork') {
    entriesOf(tree.left, found);
    entriesOf(tree.right, found);
  } else if (tree.kind !== 'empty') found.push(tree);
  return found;
}

type LabelSearch = LookupResult | { readonly status: 'below' } | { readonly status: 'above' };

/** `below`/`above`: the label would sort before/after everything shown in this subtree. */
function findLabel(tree: HashTree, label: Uint8Array): LabelSearch {
  switch (tree.kind) {
    case 'labeled': {
      const order = Buffer.compare(label, tree.label);
      if (order === 0) return { status: 'found', tree: tree.child };
      return { status: order < 0 ? 'below' : 'above' };
    }
    case 'fork': {
      const left = findLabel(tree.left, label);
      if (left.status !== 'above' && left.status !== 'unknown') return left;
      const right = findLabel(tree.right, label);
      if (right.status !== 'below') return right;
      return left.status === 'above' ? ABSENT : UNKNOWN;
    }
    case 'pruned':
      return UNKNOWN;
    default:
      return ABSENT;
  }
}
