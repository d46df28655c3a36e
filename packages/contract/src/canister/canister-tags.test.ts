import { expect, test } from 'vitest';
import { canisterTag, isTag, MAX_TAG_LENGTH, tagText } from './canister-tags.ts';

test.each([
  ['Prod', 'prod'],
  ['  team:   bread ', 'team: bread'],
  ['Cafe\u0301', 'caf\u00e9'],
  ['STRASSE 1/2', 'strasse 1/2'],
])('%j is kept as %j', (typed, kept) => {
  expect(tagText(typed)).toBe(kept);
  expect(isTag(kept)).toBe(true);
  expect(canisterTag.safeParse(typed).success).toBe(true);
});

test('a tag has 24 characters at most', () => {
  const longest = 'x'.repeat(MAX_TAG_LENGTH);
  expect(canisterTag.safeParse(` ${longest} `).success).toBe(true);
  expect(canisterTag.safeParse(`${longest}x`).success).toBe(false);
  // A letter that becomes two in lower case.
  expect(canisterTag.safeParse(`${'x'.repeat(MAX_TAG_LENGTH - 1)}\u0130`).success).toBe(false);
});

test.each(['', ' ', '-', 'a,b', '<b>', 'a\nb\0', 'a\u202eb', 'a "b"'])('%j is no tag', (typed) => {
  expect(canisterTag.safeParse(typed).success).toBe(false);
});
