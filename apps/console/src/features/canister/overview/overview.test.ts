import { expect, test } from 'vitest';
import { freezingText } from '../status/freezing-text.ts';
import { memoryParts } from './memory-parts.ts';

test.each([
  [null, 'never'],
  [0.4, 'less than a day'],
  [1.9, '1 day'],
  [45, '45 days'],
  [1241, '3.4 years'],
  [99_999, '273 years'],
  [9_999_999, 'more than 1,000 years'],
])('%s days until freezing read %s', (days, text) => {
  expect(freezingText(days, false)).toBe(text);
  expect(freezingText(days, true)).toBe('frozen now');
});

test('memory is told by what it holds, without what is empty', () => {
  const nothing = {
    total: '0',
    wasm_memory: '0',
    stable_memory: '0',
    global_memory: '0',
    wasm_binary: '0',
    custom_sections: '0',
    canister_history: '0',
    wasm_chunk_store: '0',
    snapshots: '0',
    log_memory_store: '0',
  };
  expect(memoryParts(nothing)).toEqual([]);
  const parts = memoryParts({ ...nothing, total: '4000', wasm_memory: '3000', snapshots: '1000' });
  expect(parts.map(({ label, bytes, share }) => [label, bytes, share])).toEqual([
    ['Main memory', 3000n, 75],
    ['Snapshots', 1000n, 25],
  ]);
});
