import type { Deploy } from '@cannery/contract';
import { expect, test } from 'vitest';
import { deadlineProblem, givenHealthCall, healthDraft } from './health-call.ts';

const of = (health_call: Deploy['health_call']) => healthDraft({ health_call } as Deploy);

test('a deploy without a health call, or of a service that knows none, shows an empty form that saves none', () => {
  for (const saved of [null, undefined]) {
    const draft = of(saved as Deploy['health_call']);
    expect(draft).toEqual({ canister: '', method: '', argument: '', expected: '', deadline: '20' });
    expect(givenHealthCall(draft)).toBeNull();
  }
});

test('what is saved is shown, and saved again as it was', () => {
  const saved = { canister: 'main', method: 'health', argument: '(1)', expected: '(true)', deadline: 5 };
  expect(givenHealthCall(of(saved))).toEqual(saved);
  expect(givenHealthCall({ ...of(saved), method: '  ' })).toBeNull();
});

test('a deadline is a whole number of seconds within the bounds', () => {
  for (const text of ['1', '20', '300']) expect(deadlineProblem(text)).toBeUndefined();
  for (const text of ['', '0', '301', '1.5', '1e2', 'soon']) expect(deadlineProblem(text)).toMatch(/300/);
});
