import type { Compatibility, ModuleInspection } from '@cannery/contract';
import { expect, test } from 'vitest';
import { usualUpgrade } from './install-options.tsx';
import { confirmationOf, losesData } from './install-risk.ts';

const broken: Compatibility = { verdict: 'breaking', reasons: ['`get` is gone'] };
const fine: Compatibility = { verdict: 'compatible' };

function inspected(candid: Compatibility, stable: Compatibility): ModuleInspection {
  return {
    module_hash: '0x00',
    size: 8,
    unpacked_size: 8,
    gzip: false,
    methods: { updates: [], queries: [], composite_queries: [] },
    candid: null,
    init_args: null,
    metadata: [],
    keeps_memory: false,
    already_installed: false,
    upgrade: { candid, stable_memory: stable },
  };
}

test.each([
  ['nothing known', undefined, 'upgrade', undefined],
  ['both fine', inspected(fine, fine), 'upgrade', undefined],
  ['callers', inspected(broken, fine), 'upgrade', 'callers may break'],
  ['data', inspected(fine, broken), 'upgrade', 'data may be lost'],
  ['both', inspected(broken, broken), 'upgrade', 'data may be lost and callers may break'],
  ['data that goes anyway', inspected(fine, broken), 'reinstall', undefined],
  ['what runs already', { ...inspected(broken, broken), already_installed: true }, 'upgrade', undefined],
] as const)('red findings ask for a tick: %s', (_name, inspection, mode, confirmation) => {
  expect(confirmationOf(inspection, mode)).toBe(confirmation);
});

test('data is lost by a new start, by what the inspection finds, and by an option', () => {
  expect(losesData(undefined, 'reinstall', usualUpgrade)).toBe(true);
  expect(losesData(inspected(fine, broken), 'upgrade', usualUpgrade)).toBe(true);
  expect(losesData(undefined, 'upgrade', { ...usualUpgrade, skipPreUpgrade: true })).toBe(true);
  expect(losesData(inspected(fine, fine), 'upgrade', usualUpgrade)).toBe(false);
});
