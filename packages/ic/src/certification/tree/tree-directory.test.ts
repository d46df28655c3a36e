import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8 } from '../bytes.ts';
import { EMPTY, hashOf, leaf, lookup, lookupValue } from './hash-tree.ts';
import {
  type Directory,
  directoryOf,
  getEntry,
  neighbours,
  removeEntry,
  setEntry,
} from './tree-directory.ts';
import { witness } from './witness.ts';

const label = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 10, maxLength: 10 }));
const labels = fc.uniqueArray(label, {
  maxLength: 40,
  selector: (bytes) => Buffer.from(bytes).toString('hex'),
});
const build = (all: readonly Uint8Array[]): Directory => directoryOf(all.map((each) => [each, leaf(each)]));
const sortedLabels = (tree: Directory): Uint8Array[] => {
  if (tree.kind === 'labeled') return [tree.label];
  return tree.kind === 'fork' ? [...sortedLabels(tree.left), ...sortedLabels(tree.right)] : [];
};

test('labels stay sorted whatever the order they come in, and the shape depends on them alone', () => {
  fc.assert(
    fc.property(labels, (all) => {
      const tree = build(all);
      const expected = [...all].sort(Buffer.compare).map((each) => Buffer.from(each).toString('hex'));
      expect(sortedLabels(tree).map((each) => Buffer.from(each).toString('hex'))).toEqual(expected);
      expect(hashOf(build([...all].reverse()))).toEqual(hashOf(tree));
    }),
  );
});

test('an entry can be found, replaced and removed, and the older version is left alone', () => {
  fc.assert(
    fc.property(labels, label, (all, extra) => {
      const before = build(all);
      const hash = hashOf(before);
      const after = setEntry(before, extra, leaf(utf8('new')));
      expect(getEntry(after, extra)).toEqual(leaf(utf8('new')));
      const rest = all.filter((each) => Buffer.compare(each, extra) !== 0);
      for (const each of rest) expect(lookupValue(after, [each])).toEqual(each);
      expect(hashOf(removeEntry(after, extra))).toEqual(hashOf(build(rest)));
      expect(hashOf(directoryOf(sortedLabels(before).map((each) => [each, leaf(each)])))).toEqual(hash);
    }),
  );
});

test('neighbours are the labels on both sides of a gap', () => {
  fc.assert(
    fc.property(labels, label, (all, missing) => {
      const others = all.filter((each) => Buffer.compare(each, missing) !== 0).sort(Buffer.compare);
      const below = others.filter((each) => Buffer.compare(each, missing) < 0).slice(-1);
      const above = others.filter((each) => Buffer.compare(each, missing) > 0).slice(0, 1);
      expect(neighbours(build(others), missing).map((each) => each.label)).toEqual([...below, ...above]);
    }),
  );
});

test('a witness keeps the root hash, shows what was asked for and proves what is absent', () => {
  fc.assert(
    fc.property(labels, fc.array(label, { maxLength: 4 }), (all, others) => {
      const tree = build(all);
      const asked = [...all.slice(0, 3), ...others];
      const shown = witness(
        tree,
        asked.map((each) => [each]),
      );
      expect(hashOf(shown)).toEqual(hashOf(tree));
      for (const each of asked) {
        const present = getEntry(tree, each) !== undefined;
        expect(lookup(shown, [each]).status).toBe(present ? 'found' : 'absent');
        if (present) expect(lookupValue(shown, [each])).toEqual(each);
      }
    }),
  );
});

test('a witness hides what was not asked for', () => {
  const tree = directoryOf([
    [utf8('a'), leaf(utf8('open'))],
    [utf8('b'), leaf(utf8('secret'))],
  ]);
  const shown = witness(tree, [[utf8('a')]]);
  expect(lookup(shown, [utf8('b')]).status).toBe('unknown');
  expect(witness(EMPTY, [[utf8('a')]])).toEqual(EMPTY);
});
