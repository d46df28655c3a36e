import { errorCodes } from '@cannery/contract';
import { readGuide } from '@cannery/guide';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  chapterAddress,
  type ChapterLink,
  chapterOfEmptyState,
  chapterOfError,
  emptyStateChapters,
  errorChapters,
} from './chapters.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const { chapters } = readGuide(here('../../../../docs/guide'));
const links = [...Object.values(emptyStateChapters), ...Object.values(errorChapters)].flatMap(
  (link) => link ?? [],
);

/** Empty states whose title is made while the page runs: what they say is of the moment. */
const MADE = [
  'app/routes/github.tsx',
  'candid/candid-app.tsx',
  'candid/canister-page.tsx',
  'candid/components/problem-view.tsx',
  'features/demo/products/products-page.tsx',
  'features/demo/users/user-form-page.tsx',
];

/** The titles of all empty states in the sources, with the file; undefined for one that is no plain text. */
function titles(): { readonly file: string; readonly title: string | undefined }[] {
  const source = here('..');
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .flatMap((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      return [...text.matchAll(/<(?:EmptyState|ProblemView)\b[^>]*?\btitle=(?:"([^"]*)"|\{)/g)].map(
        ([, title]) => ({ file, title }),
      );
    });
}

test('each place that an empty state or an error leads to is in the guide', () => {
  expect(links.length).toBeGreaterThan(20);
  const missing = links.filter(({ page, hash }: ChapterLink) => {
    const blocks = chapters.get(page)?.blocks;
    if (blocks === undefined) return true;
    return hash !== undefined && !blocks.some((block) => block.type === 'heading' && block.id === hash);
  });
  expect(missing).toEqual([]);
});

test('each empty state has a row, and each row an empty state', () => {
  const found = titles();
  expect(found.length).toBeGreaterThan(20);
  const plain = found.flatMap(({ title }) => title ?? []);
  expect(plain.filter((title) => !Object.hasOwn(emptyStateChapters, title))).toEqual([]);
  expect(Object.keys(emptyStateChapters).filter((title) => !plain.includes(title))).toEqual([]);
  const made = found.filter(({ title }) => title === undefined).map(({ file }) => file);
  expect([...new Set(made)].toSorted()).toEqual(MADE);
});

test('each code of the service has a row, and any other text leads nowhere', () => {
  expect(Object.keys(errorChapters).toSorted()).toEqual(Object.keys(errorCodes).toSorted());
  expect(chapterOfError('insufficient_balance')?.page).toBe('pay-with-cycles');
  for (const code of ['', '__proto__', 'constructor', 'no_such_code'])
    expect(chapterOfError(code), code).toBeUndefined();
  expect(chapterOfEmptyState('constructor')).toBeUndefined();
  expect(chapterAddress({ page: 'first-canister', hash: 'call-it', title: '' })).toBe(
    '/documentation/getting-started/first-canister#call-it',
  );
});
