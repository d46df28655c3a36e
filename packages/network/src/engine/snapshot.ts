import type { RequestLeaf, StateDelta } from '../messages.ts';
import { decodeState } from '../state/codec.ts';
import { storeKeys } from '../state/keys.ts';
import type { StateStore } from '../state/state-store.ts';
import type { SubnetState } from '../state/subnet-state.ts';
import { leavesOf } from '../state/canister-leaves.ts';

/** The whole certified state. `read` holds what is known already of requests, by their ID. */
export function snapshot(
  state: SubnetState,
  store: StateStore,
  read: ReadonlyMap<string, RequestLeaf>,
): StateDelta {
  const requests = [...state.requests.keys()].flatMap((id) => {
    const leaf = read.get(id);
    if (leaf) return [leaf];
    const bytes = store.get(storeKeys.request(id));
    return bytes ? [decodeState<RequestLeaf>(bytes)] : [];
  });
  return {
    canisters: [...state.canisters.values()].map((canister) => leavesOf(canister, true)),
    deleted: [],
    requests,
  };
}
