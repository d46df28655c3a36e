import { encode } from 'cborg';
import type { SubnetMetrics } from '../../messages.ts';
import { utf8 } from '../bytes.ts';
import { EMPTY, leaf } from './hash-tree.ts';
import { type Directory, getEntry, setEntry } from './tree-directory.ts';

const SUBNET = utf8('subnet');
const METRICS = utf8('metrics');

/** A state tree with the figures of a subnet at `/subnet/<id>/metrics`. */
export function withMetrics(root: Directory, subnetId: Uint8Array, metrics: SubnetMetrics): Directory {
  const subnets = getEntry(root, SUBNET) ?? EMPTY;
  const subnet = getEntry(subnets, subnetId) ?? EMPTY;
  const shown = setEntry(subnet, METRICS, leaf(encodeMetrics(metrics)));
  return setEntry(root, SUBNET, setEntry(subnets, subnetId, shown));
}

/**
 * The figures as the replica packs them: CBOR maps with the numbers of the fields in place of their names, and cycles as
 * the low and the high 64 bits, without the tag of CBOR (dfinity/ic, `SubnetMetrics` in `rs/canonical_state/src/encoding/types.rs`).
 */
function encodeMetrics({
  canisters,
  stateBytes,
  consumedCycles,
  updateTransactions,
}: SubnetMetrics): Uint8Array {
  return encode(
    new Map<number, unknown>([
      [0, canisters],
      [1, stateBytes],
      [
        2,
        new Map([
          [0, BigInt.asUintN(64, consumedCycles)],
          [1, consumedCycles >> 64n],
        ]),
      ],
      [3, updateTransactions],
    ]),
  );
}
