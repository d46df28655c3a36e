import { expect, test } from 'vitest';
import { buildOrder } from './choose-canisters.ts';
import type { MotokoCanister } from './plan.ts';

function canister(name: string, ...dependencies: string[]): MotokoCanister {
  const common = { folder: '', argument: null, settings: {}, flags: [] };
  return { ...common, kind: 'motoko', name, main: `${name}.mo`, dependencies };
}

function names(canisters: readonly MotokoCanister[]): string[] {
  return buildOrder(canisters).map(({ name }) => name);
}

test('each canister comes after those it needs, else they stay as listed', () => {
  expect(names([canister('c', 'b'), canister('a'), canister('b', 'a', 'elsewhere')])).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(names([canister('z'), canister('y'), canister('x')])).toEqual(['z', 'y', 'x']);
});

test('a circle is named; a canister that imports itself is none', () => {
  expect(() => names([canister('a', 'b'), canister('b', 'c'), canister('c', 'a')])).toThrow(
    'a -> b -> c -> a',
  );
  expect(names([canister('a', 'a')])).toEqual(['a']);
});
