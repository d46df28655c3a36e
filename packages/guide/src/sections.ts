import { type Block, type Chapter, plainText } from './blocks.ts';

/** What a search finds: a heading and the text below it. */
export interface Section {
  /** Name and title of the chapter. */
  readonly chapter: string;
  readonly chapterTitle: string;
  /** The anchor; empty for the beginning of the chapter. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

function textOf(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return plainText(block.children);
    case 'code':
      return block.text;
    case 'quote':
      return block.blocks.map(textOf).join(' ');
    case 'list':
      return block.items.flat().map(textOf).join(' ');
    case 'table':
      return [block.head, ...block.rows].flat().map(plainText).join(' ');
  }
}

/** A chapter cut at its headings. */
export function sectionsOf({ name, title, blocks }: Chapter): Section[] {
  const sections = [{ id: '', title, texts: [] as string[] }];
  for (const block of blocks) {
    if (block.type === 'heading') {
      sections.push({ id: block.id, title: plainText(block.children), texts: [] });
    } else sections.at(-1)?.texts.push(textOf(block));
  }
  return sections.map(({ id, title: heading, texts }) => ({
    chapter: name,
    chapterTitle: title,
    id,
    title: heading,
    text: texts.join(' ').replaceAll(/\s+/g, ' '),
  }));
}
