import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Block, type Chapter, plainText } from './blocks.ts';
import { GuideError } from './read-blocks.ts';
import { readChapter } from './read-chapter.ts';

interface GuideGroup {
  readonly title: string;
  readonly chapters: readonly { readonly name: string; readonly title: string }[];
}

/** A chapter with the file it was read from. */
export interface GuideChapter extends Chapter {
  readonly file: string;
}

export interface Guide {
  /** What stands under which heading, in the order of reading. */
  readonly groups: readonly GuideGroup[];
  readonly chapters: ReadonlyMap<string, GuideChapter>;
}

function linkOf(item: readonly Block[]): string {
  const [first] = item;
  const link = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (link?.type !== 'link')
    throw new GuideError('README.md: an entry of a list does not begin with a link.');
  return link.href;
}

/**
 * Reads the guide: its `README.md` says in headings and lists which files belong to it, in which order.
 * @param folder of the `README.md`
 * @throws GuideError when a file cannot be shown, or one of the folder is in no list.
 */
export function readGuide(folder: string): Guide {
  const read = (file: string): GuideChapter => ({
    ...readChapter(path.basename(file, '.md'), readFileSync(file, 'utf8')),
    file,
  });
  const groups: GuideGroup[] = [];
  const chapters = new Map<string, GuideChapter>();
  let title = '';
  for (const block of read(path.join(folder, 'README.md')).blocks) {
    if (block.type === 'heading') title = plainText(block.children);
    if (block.type !== 'list') continue;
    const listed = block.items.map((item) => read(path.join(folder, linkOf(item))));
    for (const chapter of listed) chapters.set(chapter.name, chapter);
    groups.push({ title, chapters: listed.map(({ name, title: text }) => ({ name, title: text })) });
  }
  const left = readdirSync(folder).filter(
    (file) => file.endsWith('.md') && file !== 'README.md' && !chapters.has(path.basename(file, '.md')),
  );
  if (left.length > 0) throw new GuideError(`README.md lists no ${left.join(', ')}.`);
  return { groups, chapters };
}
