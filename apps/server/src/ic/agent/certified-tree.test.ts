import { type HashTree, lookup_path, NodeType } from '@icp-sdk/core/agent';
import { expect, test } from 'vitest';
import { lookUp } from './certified-tree.ts';

const text = (label: string) => new Uint8Array(Buffer.from(label));
const leaf = (content: string) => [NodeType.Leaf, text(content)] as HashTree;
const labeled = (label: string, tree: HashTree) => [NodeType.Labeled, text(label), tree] as HashTree;
const fork = (left: HashTree, right: HashTree) => [NodeType.Fork, left, right] as HashTree;
const pruned = [NodeType.Pruned, new Uint8Array(32)] as HashTree;
const empty = [NodeType.Empty] as HashTree;

const abc = fork(labeled('b', leaf('B')), fork(labeled('d', labeled('e', leaf('E'))), empty));

test.each([
  ['what is there', abc, ['b'], { status: 'found', value: text('B') }],
  ['what is there further down', abc, ['d', 'e'], { status: 'found', value: text('E') }],
  ['before the first', abc, ['a'], { status: 'absent' }],
  ['between two', abc, ['c'], { status: 'absent' }],
  ['behind the last', abc, ['z'], { status: 'absent' }],
  ['longer than one', abc, ['bb'], { status: 'absent' }],
  ['below one that has others', abc, ['d', 'x'], { status: 'absent' }],
  ['below a leaf', abc, ['b', 'x'], { status: 'absent' }],
  ['in nothing', empty, ['x'], { status: 'absent' }],
  ['what has more below', abc, ['d'], { status: 'left out' }],
  ['what is left out', pruned, ['x'], { status: 'left out' }],
  ['left out before the first', fork(pruned, labeled('b', leaf('B'))), ['a'], { status: 'left out' }],
  ['behind what is left out', fork(pruned, labeled('b', leaf('B'))), ['c'], { status: 'absent' }],
  ['left out behind the last', fork(labeled('b', leaf('B')), pruned), ['c'], { status: 'left out' }],
  ['before what is left out', fork(labeled('b', leaf('B')), pruned), ['a'], { status: 'absent' }],
  [
    'left out between',
    fork(labeled('b', leaf('B')), fork(pruned, labeled('d', empty))),
    ['c'],
    { status: 'left out' },
  ],
] as const)('%s', (_what, tree, path, expected) => {
  expect(lookUp(tree, path.map(text))).toEqual(expected);
});

test('what the agent takes for absent is left out', () => {
  const tree = fork(pruned, fork(pruned, labeled('time', leaf('now'))));
  const path = ['canister', 'x', 'controllers'].map(text);
  expect(lookup_path(path, tree).status).toBe('Absent');
  expect(lookUp(tree, path)).toEqual({ status: 'left out' });
});
