import { expect, test } from 'vitest';
import { checkedSettings } from './check-settings.ts';

const CONSOLE = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const OTHER = 'ryjl3-tyaaa-aaaaa-aaaba-cai';
const guard = { console: CONSOLE, giveUp: false };

test('controllers without the console are refused unless control is given up', () => {
  for (const controllers of [[OTHER], []]) {
    expect(() => checkedSettings({ controllers }, guard)).toThrow(/can no longer manage the canister/);
    expect(checkedSettings({ controllers }, { ...guard, giveUp: true })).toEqual({ controllers });
  }
  expect(checkedSettings({ controllers: [CONSOLE, OTHER, OTHER] }, guard)).toEqual({
    controllers: [CONSOLE, OTHER],
  });
});

test.each([
  [
    { controllers: ['rrkah-fqaaa-aaaaa-aaaaq-caj', CONSOLE] },
    /rrkah-fqaaa-aaaaa-aaaaq-caj is not a principal/,
  ],
  [{ log_visibility: { allowed_viewers: ['aaaa'] } }, /aaaa is not a principal/],
  [{ compute_allocation: '101' }, /compute allocation is 100 percent at most/],
  [{ memory_allocation: (2n ** 48n + 1n).toString() }, /memory allocation is 281474976710656 bytes/],
  [{ freezing_threshold: (2n ** 64n).toString() }, /freezing threshold/],
  [{ reserved_cycles_limit: (2n ** 128n).toString() }, /reserved cycles/],
  [{ minimum_incoming_canister_call_cycles: (2n ** 128n).toString() }, /What a call must bring/],
  [{ log_memory_limit: '4095' }, /0 or at least 4096 bytes/],
  [{ log_memory_limit: '2097153' }, /log memory is 2097152 bytes at most/],
  [{ status_visibility: { allowed_viewers: ['aaaa'] } }, /aaaa is not a principal/],
  [{ environment_variables: [{ name: 'ä'.repeat(65), value: '' }] }, /128 bytes at most/],
  [{ environment_variables: [{ name: 'A', value: 'v'.repeat(129) }] }, /value .* 128 bytes at most: A/],
  [
    {
      environment_variables: [
        { name: 'A', value: '' },
        { name: 'A', value: 'x' },
      ],
    },
    /A is given twice/,
  ],
])('%j is refused in words', (change, reason) => {
  expect(() => checkedSettings(change, guard)).toThrow(reason);
});

test('what is in range passes unchanged', () => {
  const change = {
    compute_allocation: '100',
    memory_allocation: (2n ** 48n).toString(),
    freezing_threshold: '0',
    log_memory_limit: '0',
    log_visibility: 'public' as const,
    status_visibility: { allowed_viewers: [OTHER] },
    environment_variables: [{ name: 'ä'.repeat(64), value: 'v'.repeat(128) }],
  };
  expect(checkedSettings(change, guard)).toEqual(change);
});
