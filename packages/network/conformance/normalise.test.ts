import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, it } from 'vitest';
import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import { canisterIdOf } from '@cannery/replica/state/canister-id';
import { normalise, suiteNames } from './normalise.ts';
import { lineDiff } from './line-diff.ts';

describe('the output of a test', () => {
  it('loses what differs from run to run', () => {
    const output = '[Canister rwlgt-iiaaa-aaaaa-aaaaa-cai] ok\nRaised by here\nIgnore Diff: 12 of 13\n';
    expect(normalise(output)).toBe('debug.print: ok\nIgnore Diff: (ignored)\n');
  });

  it('ends where memory cannot grow', () => {
    expect(normalise('a\nRTS error: Cannot grow memory\nb\n')).toBe('a\nRTS error: Cannot grow memory\n');
  });

  it('names a new canister as the network of the suite does, and no other', () => {
    const created = Principal.fromUint8Array(canisterIdOf(FIRST_CANISTER_ORDINAL)).toText();
    const given = 'rwlgt-iiaaa-aaaaa-aaaaa-cai';
    expect(suiteNames(`${created}, ${given}`)).toBe(`lxzze-o7777-77777-aaaaa-cai, ${given}`);
  });
});

describe('a difference', () => {
  it.each([
    ['a\nb\nc', 'a\nx\nc', ['- b', '+ x']],
    ['a\nc', 'a\nb\nc', ['+ b']],
    ['a\nb', 'a', ['- b']],
    ['a', 'a\nb', ['+ b']],
    ['a\nb', 'a\nb', []],
  ])('from %j to %j is named by its lines', (expected, actual, diff) => {
    expect(lineDiff(expected, actual)).toEqual(diff);
  });
});
