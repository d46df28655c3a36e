import { lexer } from 'marked';
import { type Chapter, plainText } from './blocks.ts';
import { GuideError, readBlocks } from './read-blocks.ts';

/**
 * Reads one Markdown file.
 * @throws GuideError when it does not begin with its title, or has what the console does not show.
 */
export function readChapter(name: string, markdown: string): Chapter {
  const [title, ...blocks] = readBlocks(lexer(markdown), new Set());
  if (title?.type !== 'heading' || title.level !== 1) {
    throw new GuideError(`${name}.md does not begin with a title.`);
  }
  return { name, title: plainText(title.children), blocks };
}
