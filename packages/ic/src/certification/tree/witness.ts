import { hex } from '../bytes.ts';
import { fork, hashOf, type HashTree, labeled, pruned } from './hash-tree.ts';
import { type Directory, getEntry, isOnLeft, neighbours } from './tree-directory.ts';

type Path = readonly Uint8Array[];

/** What a witness shows of one label: the paths below it, or (no paths) only that the label exists. */
interface Shown {
  readonly label: Uint8Array;
  readonly paths: Path[];
}

/**
 * The smallest tree with the root hash of `directory` that shows everything under `paths`. A path that does
 * not exist is shown to be absent: the labels on both sides of the gap are visible.
 */
export function witness(directory: Directory, paths: readonly Path[]): HashTree {
  if (paths.some((path) => path.length === 0)) return directory;
  if (directory.kind !== 'fork' && directory.kind !== 'labeled') {
    return directory.kind === 'empty' ? directory : pruned(hashOf(directory));
  }
  return reveal(directory, labelsToShow(directory, paths));
}

function labelsToShow(directory: Directory, paths: readonly Path[]): Shown[] {
  const shown = new Map<string, Shown>();
  const show = (label: Uint8Array): Shown => {
    const key = hex(label);
    const known = shown.get(key) ?? { label, paths: [] };
    shown.set(key, known);
    return known;
  };
  for (const [label, ...rest] of paths) {
    if (label === undefined) continue;
    if (getEntry(directory, label) !== undefined) show(label).paths.push(rest);
    else for (const neighbour of neighbours(directory, label)) show(neighbour.label);
  }
  return [...shown.values()];
}

/** Every label in `shown` exists below `node`. */
function reveal(node: HashTree, shown: readonly Shown[]): HashTree {
  const first = shown[0];
  if (first === undefined) return pruned(hashOf(node));
  if (node.kind === 'labeled') {
    const child = first.paths.length > 0 ? witness(node.child, first.paths) : pruned(hashOf(node.child));
    return labeled(node.label, child);
  }
  if (node.kind !== 'fork') return node;
  const left = shown.filter((entry) => isOnLeft(node, entry.label));
  const right = shown.filter((entry) => !isOnLeft(node, entry.label));
  return fork(reveal(node.left, left), reveal(node.right, right));
}
