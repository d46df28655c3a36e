import { decode } from 'cborg';
import { expect, test } from 'vitest';
import type { SubnetMetrics } from '../../state-leaves.ts';
import { utf8 } from '../bytes.ts';
import { EMPTY } from './hash-tree.ts';
import { StateTree } from './state-tree.ts';
import { getPath } from './tree-directory.ts';

const subnet = new Uint8Array(29).fill(5);
const PATH = [utf8('subnet'), subnet, utf8('metrics')];

function shown(tree: StateTree): Uint8Array | undefined {
  const found = getPath(tree.rootAt(1n), PATH);
  return found?.kind === 'leaf' ? found.value : undefined;
}

test('the figures of the subnet are packed CBOR, cycles in two halves, and follow the newest delta', () => {
  const tree = new StateTree(EMPTY, subnet);
  const apply = (metrics?: SubnetMetrics): void =>
    tree.apply({ canisters: [], deleted: [], requests: [], ...(metrics && { metrics }) }, 0n);
  apply();
  expect(shown(tree)).toBeUndefined();
  apply({ canisters: 2, stateBytes: 500 * 1024 ** 3, consumedCycles: 7n, updateTransactions: 9 });
  apply();
  // By hand (RFC 8949): {0: 2, 1: 536870912000, 2: {0: 7, 1: 0}, 3: 9}
  expect(Buffer.from(shown(tree) ?? []).toString('hex')).toBe('a40002011b0000007d0000000002a2000701000309');
  const most = 2n ** 64n + 5n;
  apply({ canisters: 3, stateBytes: 1, consumedCycles: most, updateTransactions: 10 });
  expect(decode(shown(tree) ?? new Uint8Array(), { useMaps: true })).toEqual(
    new Map<number, unknown>([
      [0, 3],
      [1, 1],
      [
        2,
        new Map([
          [0, 5],
          [1, 1],
        ]),
      ],
      [3, 10],
    ]),
  );
});
