import { expect, test } from 'vitest';
import { interfaceChanges } from './interface-changes.ts';

test('methods that are gone, of another signature and new are told, those that stay are not', () => {
  const before = 'service : { inc : () -> (nat); get : () -> (nat) query; old : () -> () }';
  const after = 'service : { get : () -> (int) query; inc : () -> (nat); "new" : (text) -> () }';
  expect(interfaceChanges(before, after)).toEqual([
    { method: 'get', before: '() -> (nat) query', after: '() -> (int) query' },
    { method: 'old', before: '() -> ()' },
    { method: 'new', after: '(text) -> ()' },
  ]);
  expect(interfaceChanges(before, before)).toEqual([]);
});

test('a text that is no service, and one too large, is refused', () => {
  expect(() => interfaceChanges('type A = nat;', 'service : {}')).toThrow('no service');
  expect(() => interfaceChanges('service : {}', `service : {}${' '.repeat(300_000)}`)).toThrow(
    'not compared',
  );
});
