import { Box } from 'lucide-react';
import { expect, test } from 'vitest';
import { type PaletteEntry, paletteGroups } from './entries.ts';

const entry = (
  group: PaletteEntry['group'],
  label: string,
  rest: Partial<PaletteEntry> = {},
): PaletteEntry => ({
  id: label,
  group,
  label,
  Icon: Box,
  run: () => undefined,
  ...rest,
});

const entries = [
  entry('Actions', 'Sign out', { words: 'log off leave' }),
  entry('Pages', 'Canisters'),
  entry('Canisters', 'old counter', { note: 'rrkah-fqaaa-aaaaa-aaaaq-cai' }),
  entry('Canisters', 'Counter', { note: 'ryjl3-tyaaa-aaaaa-aaaba-cai' }),
];
const found = (text: string, recent: string[] = []): Record<string, string[]> =>
  Object.fromEntries(
    paletteGroups(entries, text, recent).map((group) => [
      group.name,
      group.entries.map(({ label }) => label),
    ]),
  );

test('without a text everything stands in its group, pages first', () => {
  expect(found('')).toEqual({
    Pages: ['Canisters'],
    Canisters: ['old counter', 'Counter'],
    Actions: ['Sign out'],
  });
});

test('what was used last comes first, once', () => {
  expect(found('', ['Counter', 'gone'])).toEqual({
    Recent: ['Counter'],
    Pages: ['Canisters'],
    Canisters: ['old counter'],
    Actions: ['Sign out'],
  });
});

test('a text finds names, ids and other words, the best fit of a group first', () => {
  expect(found('COUNT')).toEqual({ Canisters: ['Counter', 'old counter'] });
  expect(found('ryjl3')).toEqual({ Canisters: ['Counter'] });
  expect(found('leave')).toEqual({ Actions: ['Sign out'] });
  expect(found('counter rrkah')).toEqual({ Canisters: ['old counter'] });
  expect(found('nothing')).toEqual({});
});

test('what is open is not among what was used last; of what fits alike that comes first', () => {
  expect(paletteGroups(entries, '', ['Counter', 'old counter'], 'Counter')[0]).toMatchObject({
    name: 'Recent',
    entries: [{ label: 'old counter' }],
  });
  expect(found('cai', ['Counter'])).toEqual({ Canisters: ['Counter', 'old counter'] });
  expect(found('cai')).toEqual({ Canisters: ['old counter', 'Counter'] });
});
