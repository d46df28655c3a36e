import { expect, test } from 'vitest';
import { accountOf, nameOf, nameProblem, subjectOf, tidyName } from './names.ts';

test.each([
  'Ada Lovelace',
  'ada',
  'Zoë Ångström',
  'J. R. R. Tolkien',
  "Sinéad O'Connor",
  '王小明',
  'علي',
  'api',
  'a@b',
  '<b>x</b>',
  'x'.repeat(80),
])('%j can be the name of a person', (name) => {
  expect(nameProblem(tidyName(name))).toBeUndefined();
});

test.each([
  ['', 'Type a name'],
  [' \t ', 'Type a name'],
  ['x'.repeat(81), 'too long'],
  ['a\u0000b', 'cannot be seen'],
  ['a\u202eb', 'cannot be seen'],
  ['a\ud800', 'cannot be seen'],
  ['...', 'letter or digit'],
])('%j cannot, with a reason in plain words', (name, reason) => {
  expect(nameProblem(tidyName(name))).toContain(reason);
});

test('spaces are tidied; case and composition make no other person', () => {
  expect(tidyName('  Ada \t Lovelace ')).toBe('Ada Lovelace');
  const person = (typed: string) => subjectOf(accountOf(tidyName(typed)));
  expect(person('ADA  lovelace')).toBe(person('Ada Lovelace'));
  expect(person('ZOE\u0308')).toBe(person('zoë'));
  expect(person('Ada')).toBe('ada');
  expect(accountOf('Zoë %2f')).toMatch(/^[\x21-\x7e]+$/);
  expect(nameOf(accountOf('Zoë %2f'))).toBe('Zoë %2f');
});
