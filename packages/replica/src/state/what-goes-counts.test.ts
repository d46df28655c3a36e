import { expect, test } from 'vitest';
import { MemoryStore } from '../../test/state/memory-store.ts';
import { canisterIdOf } from './canister-id.ts';
import { newCanister } from './canister.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { SubnetState } from './subnet-state.ts';
import { Transaction } from './transaction.ts';

function empty(): { readonly store: MemoryStore; readonly state: SubnetState } {
  const store = new MemoryStore();
  const puts = [['seed', new Uint8Array(32)] as const];
  store.commit({ puts, deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] });
  return { store, state: SubnetState.load(store) };
}

test('what a deleted canister had paid and what it had left, reserved or not, counts as consumed', () => {
  const { store, state } = empty();
  const canister = newCanister({
    id: canisterIdOf(5n),
    createdAtNanos: 1n,
    controllers: [],
    settings: DEFAULT_SETTINGS,
    cycles: 1_000n,
    reservedCycles: 200n,
    creationFee: 30n,
  });
  const adding = new Transaction(state, store, 1n);
  adding.addCanister(canister);
  adding.edit(canister).consumed.instructions += 4n;
  adding.saveCanister(canister);
  adding.commit();
  expect(state.record.consumedByDeleted).toBe(0n);
  const removing = new Transaction(state, store, 2n);
  removing.removeCanister(canister);
  removing.commit();
  expect(state.record.consumedByDeleted).toBe(1_234n);
  expect(SubnetState.load(store).record.consumedByDeleted).toBe(1_234n);
});

test('that a request of a time was forgotten stays known, so that it is not carried out once more', () => {
  const { store, state } = empty();
  const parties = {
    canisterId: Uint8Array.of(1),
    sender: Uint8Array.of(2),
    effectiveCanisterId: Uint8Array.of(1),
  };
  const request = { ...parties, requestId: Uint8Array.of(7), expiryNanos: 5_000_000_000n };
  const receiving = new Transaction(state, store, 1n);
  receiving.setRequest(request, { status: 'done' });
  receiving.commit();
  const [id = ''] = state.requests.keys();
  expect(state.forgotten.cover(request.expiryNanos)).toBe(false);
  const forgetting = new Transaction(state, store, 9_000_000_000n);
  forgetting.forgetRequest(id);
  forgetting.commit();
  for (const each of [state, SubnetState.load(store)]) {
    expect([...each.requests.keys()]).toEqual([]);
    expect(each.forgotten.cover(request.expiryNanos)).toBe(true);
    expect(each.forgotten.cover(request.expiryNanos + 1_000_000_000_000n)).toBe(false);
  }
});
