import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Block, type Inline, plainText, readChapter, readGuide, sectionsOf } from './index.ts';

const folder = fileURLToPath(new URL('../../../docs/guide', import.meta.url));

function inlinesOf(blocks: readonly Block[]): Inline[] {
  return blocks.flatMap((block): Inline[] => {
    switch (block.type) {
      case 'heading':
      case 'paragraph':
        return [...block.children];
      case 'quote':
        return inlinesOf(block.blocks);
      case 'list':
        return inlinesOf(block.items.flat());
      case 'table':
        return [block.head, ...block.rows].flat(2);
      case 'code':
        return [];
    }
  });
}

const linksOf = (inlines: readonly Inline[]): string[] =>
  inlines.flatMap((inline) => [
    ...(inline.type === 'link' ? [inline.href] : []),
    ...(inline.type === 'image' ? [inline.src] : []),
    ...('children' in inline ? linksOf(inline.children) : []),
  ]);

test('a chapter becomes blocks, each heading with the anchor that git hosts give it', () => {
  const { title, blocks } = readChapter(
    'bread',
    '# Bread & butter\n\nPress **Bake**, `now`.\n\n## What `it` costs!\n\n1. One\n\n   ```sh\n   ls <a>\n   ```\n\n## What it costs\n',
  );
  expect(title).toBe('Bread & butter');
  expect(blocks).toMatchObject([
    {
      type: 'paragraph',
      children: [
        { type: 'text', text: 'Press ' },
        { type: 'strong', children: [{ text: 'Bake' }] },
        { text: ', ' },
        { type: 'code', text: 'now' },
        { text: '.' },
      ],
    },
    { type: 'heading', level: 2, id: 'what-it-costs' },
    { type: 'list', ordered: true, items: [[{ type: 'paragraph' }, { type: 'code', text: 'ls <a>' }]] },
    { type: 'heading', id: 'what-it-costs-1' },
  ]);
});

test.each(['<b>bold</b>', 'a <img src=x onerror=alert(1)> b', '<script>alert(1)</script>', '<!-- note -->'])(
  'HTML is refused: %s',
  (html) => {
    expect(() => readChapter('bread', `# Bread\n\n${html}\n`)).toThrow(/cannot stand in a/);
  },
);

test('a chapter without a title is refused', () => {
  expect(() => readChapter('bread', 'Some text.')).toThrow('bread.md does not begin with a title.');
});

test('a chapter is cut at its headings for the search, with all texts that are in it', () => {
  const chapter = readChapter(
    'bread',
    '# Bread\n\nFlour.\n\n## Bake\n\n- one *two*\n\n| a |\n|---|\n| b |\n\n```sh\nls\n```\n',
  );
  expect(sectionsOf(chapter)).toEqual([
    { chapter: 'bread', chapterTitle: 'Bread', id: '', title: 'Bread', text: 'Flour.' },
    { chapter: 'bread', chapterTitle: 'Bread', id: 'bake', title: 'Bake', text: 'one two a b ls' },
  ]);
});

test('every link and picture of the guide leads to a file and a heading that are there', () => {
  const { chapters } = readGuide(folder);
  expect(chapters.size).toBeGreaterThan(10);
  const broken = [...chapters.values()].flatMap(({ name, file, blocks }) =>
    linksOf(inlinesOf(blocks))
      .filter((href) => !/^https?:/.test(href))
      .filter((href) => {
        const [target = '', hash] = href.split('#');
        if (target !== '' && !existsSync(path.resolve(file, '..', target))) return true;
        const chapter = chapters.get(target === '' ? name : path.basename(target, '.md'));
        return (
          hash !== undefined &&
          !chapter?.blocks.some((block) => block.type === 'heading' && block.id === hash)
        );
      })
      .map((href) => `${name}: ${href}`),
  );
  expect(broken).toEqual([]);
});

test('what is new has ten to fifteen entries below their days, the newest day first', () => {
  const blocks = readGuide(folder).chapters.get('what-is-new')?.blocks ?? [];
  const days = blocks.flatMap((block) => (block.type === 'heading' ? plainText(block.children) : []));
  const moments = days.map((day) => Date.parse(`${day} UTC`));
  expect(moments).not.toContain(Number.NaN);
  expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => b - a));
  const entries = blocks.flatMap((block) => (block.type === 'list' ? block.items : []));
  expect(entries.length).toBeGreaterThanOrEqual(10);
  expect(entries.length).toBeLessThanOrEqual(15);
});
