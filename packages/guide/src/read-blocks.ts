import type { Token, Tokens } from 'marked';
import { type Block, type Inline, plainText } from './blocks.ts';

/** A chapter has something that the console does not show. */
export class GuideError extends Error {
  override name = 'GuideError';
}

/** marked's own names for what it found; a token of another kind is refused. */
type Known =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Codespan
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Link
  | Tokens.Image
  | Tokens.Br
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Space;

/** @throws GuideError at HTML and all else that has no place in a chapter. */
function readInlines(tokens: readonly Token[] | undefined): Inline[] {
  return (tokens ?? []).flatMap((token): Inline[] => {
    const known = token as Known;
    switch (known.type) {
      case 'text':
        return 'tokens' in known && known.tokens
          ? readInlines(known.tokens)
          : [{ type: 'text', text: decoded(known.text) }];
      case 'escape':
        return [{ type: 'text', text: decoded(known.text) }];
      case 'codespan':
        return [{ type: 'code', text: known.text }];
      case 'strong':
      case 'em':
        return [{ type: known.type, children: readInlines(known.tokens) }];
      case 'link':
        return [{ type: 'link', href: known.href, children: readInlines(known.tokens) }];
      case 'image':
        return [{ type: 'image', src: known.href, alt: known.text }];
      case 'br':
        return [{ type: 'break' }];
      default:
        throw new GuideError(`'${token.raw.slice(0, 80)}' (${token.type}) cannot stand in a text.`);
    }
  });
}

/** The lines of a paragraph are one text. */
const decoded = (text: string): string => text.replaceAll('\n', ' ');

/**
 * @param ids anchors that are taken; each heading adds one
 * @throws GuideError at HTML and all else that has no place in a chapter.
 */
export function readBlocks(tokens: readonly Token[], ids: Set<string>): Block[] {
  return tokens.flatMap((token): Block[] => {
    const known = token as Known;
    switch (known.type) {
      case 'space':
        return [];
      case 'heading': {
        const children = readInlines(known.tokens);
        return [{ type: 'heading', level: known.depth, id: anchor(plainText(children), ids), children }];
      }
      case 'paragraph':
      case 'text':
        return [{ type: 'paragraph', children: readInlines(known.tokens) }];
      case 'code':
        return [{ type: 'code', language: known.lang ?? '', text: known.text }];
      case 'blockquote':
        return [{ type: 'quote', blocks: readBlocks(known.tokens, ids) }];
      case 'list':
        return [
          {
            type: 'list',
            ordered: known.ordered,
            items: known.items.map((item) => readBlocks(item.tokens, ids)),
          },
        ];
      case 'table':
        return [
          {
            type: 'table',
            head: known.header.map((cell) => readInlines(cell.tokens)),
            rows: known.rows.map((row) => row.map((cell) => readInlines(cell.tokens))),
          },
        ];
      default:
        throw new GuideError(`'${token.raw.slice(0, 80)}' (${token.type}) cannot stand in a chapter.`);
    }
  });
}

/** The anchor that git hosts give a heading: small letters, digits, hyphens; a number where it is taken. */
function anchor(title: string, ids: Set<string>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  let id = base;
  for (let number = 1; ids.has(id); number += 1) id = `${base}-${number}`;
  ids.add(id);
  return id;
}
