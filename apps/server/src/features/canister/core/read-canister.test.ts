import type { CanisterSettings } from '@cannery/contract';
import { expect, test } from 'vitest';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';
import { detailsOf } from './read-canister.ts';

const settings: CanisterSettings = {
  controllers: [],
  compute_allocation: '0',
  memory_allocation: '0',
  freezing_threshold: '2592000',
  reserved_cycles_limit: '0',
  minimum_incoming_canister_call_cycles: '0',
  wasm_memory_limit: '0',
  wasm_memory_threshold: '0',
  log_memory_limit: '4096',
  log_visibility: 'controllers',
  snapshot_visibility: 'controllers',
  status_visibility: 'controllers',
  environment_variables: [],
};

function details(cycles: bigint, perDay: bigint, reservedCycles = 0n) {
  const report: CanisterReport = {
    status: 'running',
    cycles,
    moduleHash: null,
    version: 1n,
    reservedCycles,
    idleCyclesBurnedPerDay: perDay,
    settings,
    memory: {
      total: 0n,
      wasmMemory: 0n,
      stableMemory: 0n,
      globalMemory: 0n,
      wasmBinary: 0n,
      customSections: 0n,
      canisterHistory: 0n,
      wasmChunkStore: 0n,
      snapshots: 0n,
      logMemoryStore: 0n,
    },
    queries: { calls: 0n, instructions: 0n, requestBytes: 0n, responseBytes: 0n },
  };
  return detailsOf(report, { id: 'x', consolePrincipal: 'y' });
}

test.each([
  // A threshold of 30 days: 30 days' cost must stay.
  [3_000n, 100n, 0n, '3000', false, 0],
  [2_999n, 100n, 0n, '3000', true, 0],
  [3_250n, 100n, 0n, '3000', false, 2.5],
  [3_000n, 100n, 1_000n, '2000', false, 10],
  [0n, 100n, 5_000n, '0', false, 20],
  [5n, 0n, 0n, '0', false, null],
])('%d cycles at %d a day with %d reserved', (cycles, perDay, reserved, limit, frozen, days) => {
  expect(details(cycles, perDay, reserved)).toMatchObject({
    freezing_limit: limit,
    frozen,
    days_until_freezing: days,
    empty: true,
  });
});
