import { type HashTree, NodeType } from '@icp-sdk/core/agent';

/** What a tree of a certificate says of a path: what stands there, that nothing does, or neither. */
export type Found =
  | { readonly status: 'found'; readonly value: Uint8Array }
  | { readonly status: 'absent' }
  | { readonly status: 'left out' };

const ABSENT: Found = { status: 'absent' };
const LEFT_OUT: Found = { status: 'left out' };

/**
 * Looks a path up (interface specification, "Lookup"). That of the agent compares labels wrongly: it takes 'canister' for greater than
 * 'time', since some letter of it is, and calls absent what was left out. Absence decides about money here.
 */
export function lookUp(tree: HashTree, path: readonly Uint8Array[]): Found {
  const [label, ...rest] = path;
  if (label === undefined) return contentOf(tree);
  const nodes = flattened(tree);
  const later = nodes.findIndex((node) => node[0] === NodeType.Labeled && isNotBefore(node[1], label));
  const here = later < 0 ? undefined : nodes[later];
  if (here?.[0] === NodeType.Labeled && Buffer.compare(here[1], label) === 0) return lookUp(here[2], rest);
  // Labels are in order, so it would stand right before the first that is greater, or at the end.
  const before = nodes.at(later < 0 ? -1 : later - 1);
  const isFirst = later === 0 || nodes.length === 0;
  return isFirst || before?.[0] !== NodeType.Pruned ? ABSENT : LEFT_OUT;
}

function contentOf(tree: HashTree): Found {
  if (tree[0] === NodeType.Leaf) return { status: 'found', value: Uint8Array.from(tree[1]) };
  if (tree[0] === NodeType.Empty) return ABSENT;
  // More is below it, which is no content.
  return LEFT_OUT;
}

function isNotBefore(label: Uint8Array, wanted: Uint8Array): boolean {
  return Buffer.compare(label, wanted) >= 0;
}

/** The nodes below forks, in their order. */
function flattened(tree: HashTree): HashTree[] {
  if (tree[0] === NodeType.Empty) return [];
  return tree[0] === NodeType.Fork ? [...flattened(tree[1]), ...flattened(tree[2])] : [tree];
}
