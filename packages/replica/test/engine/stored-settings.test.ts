import { expect, test } from 'vitest';
import type { CanisterRecord } from '../../src/state/canister.ts';
import { canisterIdOf, idKey } from '../../src/state/canister-id.ts';
import { encodeState, type StateStore, storeKeys } from '../../src/state/state-store.ts';
import { DEFAULT_SETTINGS } from '../../src/state/settings.ts';
import { SubnetState } from '../../src/state/subnet-state.ts';

test('settings that a canister was stored without are as of a new one', () => {
  const id = canisterIdOf(1n);
  const { logMemoryLimit: _left, ...before } = DEFAULT_SETTINGS;
  const record = { id, settings: { ...before, freezingThreshold: 7n } } as Partial<CanisterRecord>;
  const values = new Map([[storeKeys.canister(idKey(id)), encodeState(record)]]);
  const store: Partial<StateStore> = {
    get: (key) => values.get(key),
    keys: (prefix) => [...values.keys()].filter((key) => key.startsWith(prefix)),
    commit: () => 0,
  };
  const [canister] = SubnetState.load(store as StateStore).canisters.values();
  expect(canister?.record.settings).toEqual({ ...DEFAULT_SETTINGS, freezingThreshold: 7n });
});
