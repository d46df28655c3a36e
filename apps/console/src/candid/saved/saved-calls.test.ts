import { expect, test } from 'vitest';
import { readSavedCalls, type SavedCall, withoutSavedCall, withSavedCall } from './saved-calls.ts';

const call = (name: string, more: Partial<SavedCall> = {}): SavedCall => ({
  place: 'here',
  name,
  method: 'add',
  args: '(5 : nat)',
  ...more,
});

test('what the browser kept is read back, and what is no call is left out', () => {
  const saved = [call('a'), call('b', { place: 'there' })];
  expect(readSavedCalls(JSON.stringify(saved))).toEqual(saved);
  const odd = [null, 5, 'x', [], {}, { ...call('c'), args: 5 }, { ...call('d'), extra: '<b>' }];
  expect(readSavedCalls(JSON.stringify(odd))).toEqual([call('d')]);
  for (const text of [null, '', '{', '5', '{}', 'null']) expect(readSavedCalls(text)).toEqual([]);
  expect(
    readSavedCalls(JSON.stringify(Array.from({ length: 500 }, (_, index) => call(`${index}`)))),
  ).toHaveLength(200);
});

test('a call takes the place of one of its name and canister', () => {
  const saved = [call('a'), call('a', { place: 'there' })];
  const next = withSavedCall(saved, call('a', { args: '(6 : nat)' }));
  expect(next).toEqual([call('a', { args: '(6 : nat)' }), call('a', { place: 'there' })]);
  expect(withoutSavedCall(saved, call('a'))).toEqual([call('a', { place: 'there' })]);
});

test('names, arguments and the number of calls are bounded', () => {
  expect(withSavedCall([], call(''))).toMatch('Enter a name');
  expect(withSavedCall([], call('x'.repeat(60)))).toHaveLength(1);
  expect(withSavedCall([], call('x'.repeat(61)))).toMatch('at most 60');
  expect(withSavedCall([], call('a', { args: 'x'.repeat(8 * 1024 + 1) }))).toMatch('too long');
  expect(withSavedCall([], call('a', { method: 'x'.repeat(2000) }))).toMatch('too long');
  const thirty = Array.from({ length: 30 }, (_, index) => call(`${index}`));
  expect(withSavedCall(thirty, call('one more'))).toMatch('Delete one');
  expect(withSavedCall(thirty, call('7', { args: '()' }))).toHaveLength(30);
  expect(withSavedCall(thirty, call('one more', { place: 'there' }))).toHaveLength(31);
  const many = Array.from({ length: 200 }, (_, index) => call('a', { place: `${index}` }));
  expect(withSavedCall(many, call('b', { place: 'x' }))).toMatch('of any canister');
});
