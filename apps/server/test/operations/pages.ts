import { readFileSync } from 'node:fs';

/** Lines for a shell that a page has, as they are to be typed. */
export interface Block {
  readonly page: string;
  readonly heading: string;
  readonly lines: string;
}

const FOLDER = new URL('../../../../docs/operations/', import.meta.url);

/** All blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(page, FOLDER), 'utf8');
  let heading = '';
  return [...text.matchAll(/^#+ (.+)$|^```sh\n([^`]*)\n```$/gm)].flatMap(([, title, lines]) => {
    if (title !== undefined) heading = title;
    return lines === undefined ? [] : [{ page, heading, lines }];
  });
}
