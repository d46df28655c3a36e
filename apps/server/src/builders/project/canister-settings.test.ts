import { expect, test } from 'vitest';
import { readAmount, readSettings } from './canister-settings.ts';

test.each([
  ['2.5gib', 'bytes', 2_684_354_560n],
  ['4 GB', 'bytes', 4_000_000_000n],
  [1024, 'bytes', 1024n],
  ['8mib', 'bytes', 8_388_608n],
  ['1_000', 'bytes', 1000n],
  ['1.5t', 'cycles', 1_500_000_000_000n],
  ['500_000', 'cycles', 500_000n],
  ['30d', 'seconds', 2_592_000n],
  ['1w', 'seconds', 604_800n],
  ['', 'bytes', null],
  ['_', 'bytes', null],
  ['-1', 'bytes', null],
  ['5x', 'bytes', null],
  ['1d', 'bytes', null],
  [{}, 'bytes', null],
] as const)('%j as %s is %s', (text, unit, amount) => {
  expect(readAmount(text, unit)).toBe(amount);
});

test('settings that cannot be applied are named', () => {
  expect(
    readSettings({
      compute_allocation: '101',
      memory_allocation: 'much',
      log_visibility: { allowed_viewers: ['aaaaa-aa'] },
      reserved_cycles_limit: '1t',
      environment_variables: { A: 'b', SECRET: { path: './key' } },
      controllers: ['x'],
    }),
  ).toEqual({
    settings: {
      log_visibility: { allowed_viewers: ['aaaaa-aa'] },
      reserved_cycles_limit: '1000000000000',
      environment_variables: [{ name: 'A', value: 'b' }],
    },
    notApplied: ['compute_allocation', 'memory_allocation', 'environment_variables', 'controllers'],
  });
});
