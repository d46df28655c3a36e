import { readGuide, sectionsOf } from '@cannery/guide';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findSections } from './find-sections.ts';

const section = (title: string, text: string) => ({
  chapter: 'bread',
  chapterTitle: 'Bread',
  id: title.toLowerCase(),
  title,
  text,
});
const sections = [
  section('Flour', 'Wheat, rye and what an oven needs.'),
  section('Oven', 'Hot, and then hotter.'),
  section('Salt', `${'word '.repeat(60)}a pinch of SALT (see .* below) ${'word '.repeat(60)}`),
];
const titles = (typed: string): string[] => findSections(sections, typed).map(({ title }) => title);

test('all words have to be there, in any order and case; a title counts more than a text', () => {
  expect(titles('oven')).toEqual(['Oven', 'Flour']);
  expect(titles('RYE wheat')).toEqual(['Flour']);
  expect(titles('bread oven')).toEqual(['Oven', 'Flour']);
  expect(titles('oven hot')).toEqual(['Oven']);
  expect(titles('an oven')).toEqual(['Oven', 'Flour']);
  expect(titles('rye salt')).toEqual([]);
  expect(titles('  ')).toEqual([]);
});

test('what is typed is no pattern', () => {
  expect(titles('.*')).toEqual(['Salt']);
  expect(titles('(a+)+$')).toEqual([]);
});

test('the excerpt stands around what was found', () => {
  const [found] = findSections(sections, 'pinch');
  expect(found?.excerpt).toMatch(/^… .*a pinch of SALT.* …$/);
  expect(found?.excerpt.length).toBeLessThan(160);
  expect(findSections(sections, 'hot')[0]?.excerpt).toBe('Hot, and then hotter.');
});

test('a rollback is found at the chapter of its button, in every form of the word and above what only names it', () => {
  const { chapters } = readGuide(fileURLToPath(new URL('../../../../../docs/guide', import.meta.url)));
  const all = [...chapters.values()].flatMap(sectionsOf);
  for (const typed of ['rollback', 'roll back', 'rolled back', 'Rolling back', 'roll-back', 'rollbacks']) {
    const [found] = findSections(all, typed);
    expect(found, typed).toMatchObject({ chapter: 'whole-project', id: 'go-back' });
    expect(found?.excerpt, typed).toMatch(/roll back/i);
  }
  expect(findSections(all, 'topped up')[0]?.chapter).toBe('pay-with-cycles');
});
