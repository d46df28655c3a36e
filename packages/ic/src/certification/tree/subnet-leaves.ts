import { encode } from 'cborg';
import type { SubnetMetrics } from '../../state-leaves.ts';
import { utf8 } from '../bytes.ts';
import type { NetworkKeys } from '../signatures/keys.ts';
import { encodeCbor } from './cbor.ts';
import { EMPTY, type HashTree, leaf } from './hash-tree.ts';
import { type Directory, directoryOf, getEntry, setEntry } from './tree-directory.ts';

/** The ids of canisters: eight counter bytes, then `01 01`. This network is the only subnet and has them all. */
export const FIRST_CANISTER_ID: Uint8Array = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 1);
export const LAST_CANISTER_ID: Uint8Array = Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 1, 1);

const directory = (entries: Record<string, HashTree>): Directory =>
  directoryOf(Object.entries(entries).map(([name, tree]) => [utf8(name), tree] as const));

/** The part of the state tree that never changes: who the subnet is and which canisters it may hold. */
export function subnetDirectory(keys: NetworkKeys): Directory {
  const ranges = leaf(encodeCbor([[FIRST_CANISTER_ID, LAST_CANISTER_ID]]));
  const node = directory({ public_key: leaf(keys.nodePublicKey) });
  const subnet = directory({
    public_key: leaf(keys.rootKey),
    canister_ranges: ranges,
    node: directoryOf([[keys.nodeId, node]]),
    type: leaf(utf8('application')),
  });
  return directory({
    subnet: directoryOf([[keys.subnetId, subnet]]),
    canister_ranges: directoryOf([[keys.subnetId, directoryOf([[FIRST_CANISTER_ID, ranges]])]]),
  });
}

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
