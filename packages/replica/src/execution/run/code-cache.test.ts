import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COUNTER_WAT } from '../../../test/canisters/text-canisters.ts';
import { wat } from '../../../../wasm/test/wasm.ts';
import { Canister, type CanisterRecord } from '../../state/canister.ts';
import { canisterIdOf } from '../../state/canister-id.ts';
import { DEFAULT_SETTINGS } from '../../state/settings.ts';
import { DurableStore } from '@cannery/store/durable-store';
import { growMemory } from '@cannery/wasm/instance/memory';
import { threadUndoLog } from '@cannery/wasm/instance/undo-log';
import { CodeCache } from './code-cache.ts';
import { ModuleCache } from './module-cache.ts';
import { SliceExceeded } from './run.ts';

const directory = mkdtempSync(join(tmpdir(), 'cannery-codes-'));
const PAGE = 65_536;
let store: DurableStore;
let hash: string;

beforeAll(() => {
  store = DurableStore.open(directory);
  hash = store.putBlob(wat(COUNTER_WAT));
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The n-th canister, with an empty heap of one page. */
function canister(n: number): Canister {
  const record: Partial<CanisterRecord> = {
    id: canisterIdOf(BigInt(n)),
    settings: DEFAULT_SETTINGS,
    heapGeneration: 1,
    stableGeneration: 1,
    stablePages: 0,
    code: {
      moduleHash: new Uint8Array(Buffer.from(hash, 'hex')),
      moduleBytes: 1,
      customSectionBytes: 0,
      memory64: false,
      exports: { heartbeat: false, globalTimer: false, onLowWasmMemory: false },
      heapPages: 1,
      installedAtNanos: 0n,
      globals: [],
    },
  };
  return new Canister(record as CanisterRecord);
}

test('no more canisters stay loaded than allowed, and those used last do', () => {
  const codes = new CodeCache(store, new ModuleCache(), { budgetBytes: 1_000 * PAGE, maxCanisters: 10 });
  const canisters = Array.from({ length: 40 }, (_, n) => canister(n));
  const first = canisters.map((each) => {
    const code = codes.get(each);
    codes.trim();
    return code;
  });
  expect(codes.size).toBe(10);
  expect(codes.residentBytes).toBe(10 * PAGE);
  expect(canisters.slice(30).map((each) => codes.get(each))).toEqual(first.slice(30));
  expect(canisters.slice(30).every((each, index) => codes.get(each) === first[30 + index])).toBe(true);
  expect(codes.get(canister(0))).not.toBe(first[0]);
});

test('the bytes counted are those of the canisters that are loaded', () => {
  const codes = new CodeCache(store, new ModuleCache(), { budgetBytes: 5 * PAGE });
  const canisters = Array.from({ length: 8 }, (_, n) => canister(n));
  for (const each of canisters) codes.get(each);
  codes.trim();
  expect([codes.size, codes.residentBytes]).toEqual([5, 5 * PAGE]);
  const last = canisters[7] ?? canister(7);
  // Not more than it uses, so that it is not dropped for waste.
  codes.get(last).instance.memory.grow(1);
  codes.trim();
  expect([codes.size, codes.residentBytes]).toEqual([4, 5 * PAGE]);
  codes.forget(last);
  codes.trim();
  expect([codes.size, codes.residentBytes]).toEqual([3, 3 * PAGE]);
});

test('a module too large for this thread is refused here, packed or not, and used once another has prepared it', () => {
  const modules = new ModuleCache({ largestBytes: 100 });
  const codes = new CodeCache(store, modules, { budgetBytes: PAGE });
  expect(() => codes.get(canister(1))).toThrow(SliceExceeded);
  const elsewhere = new ModuleCache();
  modules.put(hash, elsewhere.compile(canister(1).id, hash, store.getBlob(hash) ?? new Uint8Array(0)));
  expect(codes.get(canister(1)).instance.hasExport('canister_update inc')).toBe(true);
});

test('memory for undoing a very large message goes back, and the next message finds the state as it was', () => {
  const codes = new CodeCache(store, new ModuleCache(), { budgetBytes: 1_000 * PAGE });
  const log = threadUndoLog();
  const first = codes.get(canister(1));
  codes.get(canister(2));
  codes.trim();
  expect([codes.size, threadUndoLog() === log]).toEqual([2, true]);
  growMemory(log.undo, 5_000, true);
  codes.trim();
  expect([codes.size, codes.residentBytes, threadUndoLog() === log]).toEqual([0, 0, false]);
  const again = codes.get(canister(1));
  expect(again).not.toBe(first);
  again.instance.begin(1_000n);
  again.write(0, Uint8Array.of(7));
  again.rollback();
  expect(again.read(0, 1)).toEqual(Uint8Array.of(0));
  expect(threadUndoLog().undo.buffer.byteLength).toBeLessThan(log.undo.buffer.byteLength);
});
