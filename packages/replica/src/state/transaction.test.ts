import { describe, expect, test } from 'vitest';
import { MemoryStore } from '../../test/state/memory-store.ts';
import { Pick } from '../../test/state/pick.ts';
import { stateText } from '../../test/state/state-text.ts';
import {
  addCanister,
  CASES,
  change,
  filled,
  messageOf,
  NOTING_METHODS,
} from '../../test/state/transaction-cases.ts';
import { MANAGEMENT_KEY } from './canister-id.ts';
import { SubnetState } from './subnet-state.ts';
import { Transaction } from './transaction.ts';

const SEQUENCES = 300;
const MOST_STEPS = 40;
const NAMES = Object.keys(CASES);

interface Filled {
  readonly store: MemoryStore;
  readonly state: SubnetState;
}

/** A store with the secret of the network in it, which is otherwise drawn at random. */
function emptyStore(): MemoryStore {
  const store = new MemoryStore();
  const puts = [['seed', new Uint8Array(32)] as const];
  store.commit({ puts, deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] });
  return store;
}

/** A state with some of everything, all of it stored; `seed` says with which values. */
function storedState(seed: number): Filled {
  const pick = new Pick(seed);
  const store = emptyStore();
  const state = SubnetState.load(store);
  const gone = new Transaction(state, store, 5n);
  const first = addCanister(gone, pick, true);
  for (let n = 0; n < 4; n += 1) filled(gone, addCanister(gone, pick, n % 2 === 0), pick);
  gone.commit();
  const tx = new Transaction(state, store, 10n);
  tx.removeCanister(first);
  for (let n = 0; n < 3; n += 1) {
    CASES['addOutcall']?.(tx, pick);
    tx.enqueue(MANAGEMENT_KEY, messageOf(pick));
  }
  for (let n = 0; n < 30; n += 1) CASES['setRequest']?.(tx, pick);
  tx.forgetRequest(pick.of(state.requests.keys()));
  tx.commit();
  return { store, state };
}

/** As `storedState`, with what only memory has: system tasks, counted queries, rent that is charged and not stored. */
function liveState(seed: number): Filled {
  const { store, state } = storedState(seed);
  const pick = new Pick(seed + 1);
  const [first, second] = state.canisters.values();
  if (!first || !second) throw new Error('The state is not filled.');
  first.queue.unshift({ message: { kind: 'task', task: 'canister_heartbeat' } });
  first.record.queryStatistics.calls += 3n;
  const tx = new Transaction(state, store, 20n);
  change(tx, second, pick);
  tx.commit();
  // The scheduler takes a message from its queue before it opens a transaction.
  second.queue.shift();
  return { store, state };
}

function apply(tx: Transaction, seed: number): void {
  const pick = new Pick(seed);
  for (let steps = 1 + pick.below(MOST_STEPS); steps > 0; steps -= 1) CASES[pick.of(NAMES)]?.(tx, pick);
  tx.state.record.updateTransactions += 1;
}

function loadedText(store: MemoryStore): string {
  return stateText(SubnetState.load(store), false);
}

describe('a transaction that is abandoned leaves memory and store as they were', () => {
  test('every method has a case here', () => {
    const methods = Object.getOwnPropertyNames(Transaction.prototype);
    const changing = methods.filter((name) => !['constructor', 'commit', 'abandon'].includes(name));
    expect(NAMES.toSorted()).toEqual(changing.toSorted());
  });

  test.each(NAMES)('%s', (name) => {
    const { store, state } = liveState(1);
    const [memory, stored] = [stateText(state), loadedText(store)];
    let changes = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const tx = new Transaction(state, store, 30n);
      CASES[name]?.(tx, new Pick(seed));
      if (stateText(state) !== memory) changes += 1;
      tx.abandon();
      expect(stateText(state)).toBe(memory);
    }
    expect(loadedText(store)).toBe(stored);
    // A case that changes nothing would test nothing.
    expect(changes > 0).toBe(!NOTING_METHODS.has(name));
  });

  test('any sequence of them, also on what only memory has', () => {
    const { store, state } = liveState(2);
    const [memory, stored] = [stateText(state), loadedText(store)];
    for (let seed = 0; seed < SEQUENCES; seed += 1) {
      const tx = new Transaction(state, store, 30n);
      apply(tx, seed);
      tx.abandon();
      if (stateText(state) !== memory) expect(stateText(state), `sequence ${seed}`).toBe(memory);
    }
    expect(loadedText(store)).toBe(stored);
  });

  test('so that what is loaded from the store is what is in memory', () => {
    const { store, state } = storedState(3);
    const stored = loadedText(store);
    expect(stateText(state, false)).toBe(stored);
    for (let seed = 0; seed < SEQUENCES; seed += 1) {
      const tx = new Transaction(state, store, 30n);
      apply(tx, seed);
      tx.abandon();
    }
    expect(stateText(state, false)).toBe(stored);
    expect(loadedText(store)).toBe(stored);
  });

  test('and whatever is committed next is what it would have been without it', () => {
    const [tried, fresh] = [liveState(4), liveState(4)];
    for (let seed = 0; seed < SEQUENCES; seed += 1) {
      const abandoned = new Transaction(tried.state, tried.store, 30n);
      apply(abandoned, seed);
      abandoned.abandon();
      for (const { state, store } of [tried, fresh]) {
        const tx = new Transaction(state, store, 40n);
        CASES[pickedName(seed)]?.(tx, new Pick(seed));
        tx.commit();
      }
      const [one, other] = [stateText(tried.state), stateText(fresh.state)];
      if (one !== other) expect(one, `after sequence ${seed}`).toBe(other);
    }
    expect(loadedText(tried.store)).toBe(loadedText(fresh.store));
  });
});

/** Deletions are left out, or soon no canister would be left. */
function pickedName(seed: number): string {
  const name = new Pick(seed).of(NAMES);
  return name === 'removeCanister' ? 'addCanister' : name;
}

test('a transaction ends once', () => {
  const { store, state } = storedState(5);
  const committed = new Transaction(state, store, 30n);
  committed.commit();
  expect(() => committed.abandon()).toThrow('ends once');
  const abandoned = new Transaction(state, store, 30n);
  abandoned.abandon();
  expect(() => abandoned.commit()).toThrow('ends once');
});

test('a transaction that the store refused can be abandoned', () => {
  const { store, state } = liveState(6);
  const memory = stateText(state);
  const full = Object.assign(Object.create(store) as MemoryStore, {
    get: (key: string) => store.get(key),
    commit: () => {
      throw new Error('The disk is full.');
    },
  });
  const tx = new Transaction(state, full, 30n);
  apply(tx, 1);
  expect(() => tx.commit()).toThrow('full');
  tx.abandon();
  expect(stateText(state)).toBe(memory);
});
