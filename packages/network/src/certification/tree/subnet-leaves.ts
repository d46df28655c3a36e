import { utf8 } from '../bytes.ts';
import { encodeCbor } from './cbor.ts';
import { type HashTree, leaf } from './hash-tree.ts';
import { type Directory, directoryOf } from './tree-directory.ts';
import type { NetworkKeys } from '../signatures/keys.ts';

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
