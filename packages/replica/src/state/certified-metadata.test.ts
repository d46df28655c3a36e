import { expect, test } from 'vitest';
import { MemoryStore } from '../../test/state/memory-store.ts';
import { canisterIdOf } from './canister-id.ts';
import { newCanister } from './canister.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { SubnetState } from './subnet-state.ts';
import { Transaction } from './transaction.ts';

test('metadata that a transaction has certified is shown, also where the canister is certified once more', () => {
  const store = new MemoryStore();
  const puts = [['seed', new Uint8Array(32)] as const];
  store.commit({ puts, deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] });
  const tx = new Transaction(SubnetState.load(store), store, 1n);
  const canister = newCanister({
    id: canisterIdOf(5n),
    createdAtNanos: 1n,
    controllers: [],
    settings: DEFAULT_SETTINGS,
    cycles: 1n,
    reservedCycles: 0n,
    creationFee: 0n,
  });
  const metadata = [{ name: 'notes', visibility: 'public', content: Uint8Array.of(7) }] as const;
  tx.addCanister(canister);
  tx.setMetadata(canister, metadata);
  tx.certify(canister, true);
  tx.certify(canister);
  expect(tx.commit().delta.canisters.map((leaves) => leaves.metadata)).toEqual([metadata]);
});
