import { CandidSyntaxError, type Position } from '../errors.ts';
import { readQuoted } from './quoted.ts';

/** What a token is; `punct` covers brackets, separators, `->` and the point of `func "id".name`. */
type TokenKind = 'id' | 'text' | 'number' | 'punct' | 'end';

/** One word of a Candid text. */
export interface Token extends Position {
  readonly kind: TokenKind;
  /** The word as written; for `text` the quoted source. */
  readonly source: string;
  /** The bytes between the quotes, only for `text` (a blob need not be UTF-8). */
  readonly bytes?: Uint8Array;
  /** The `//` comment lines right above this token, without the slashes. */
  readonly docs: readonly string[];
  /** Offset of the first character behind the token. */
  readonly end: number;
}

const SPACE = /[ \t\r]+/y;
const LINE_COMMENT = /\/\/([^\n]*)/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const HEX_NUMBER = /[+-]?0x[0-9a-fA-F](?:_?[0-9a-fA-F])*/y;
const DECIMAL_NUMBER = /[+-]?[0-9](?:_?[0-9])*(?:\.(?:[0-9](?:_?[0-9])*)?)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?/y;
const SIGNED_WORD = /[+-](?:inf|nan)\b/y;
/** Encoding takes time that grows with the square of a number's length; this is far beyond any real one. */
export const LONGEST_NUMBER = 5000;
const NO_DOCS: readonly string[] = [];
/** Words of a text: an interface of 10,000 methods has 300,000, a list of 200,000 numbers twice as many as numbers. */
const MOST_TOKENS = 500_000;
const PUNCTUATION = /->|[(){};:,=.]/y;

/**
 * Cuts a Candid text (types or values) into tokens; the last one is of kind `end`.
 * Throws CandidSyntaxError for a character, string or comment that cannot be read.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  let docs: string[] = [];
  /** The line the last comment stood on; a gap cuts it off from what follows. */
  let docsLine = 0;

  const here = (): Position => ({ line, column: offset - lineStart + 1 });
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  const push = (kind: TokenKind, source: string, bytes?: Uint8Array): void => {
    const owned = line - docsLine <= 1 ? docs : NO_DOCS;
    if (tokens.length >= MOST_TOKENS)
      throw new CandidSyntaxError(
        `the text has more than ${MOST_TOKENS.toLocaleString('en-US')} words`,
        here(),
      );
    const column = offset - lineStart + 1;
    tokens.push({ kind, source, bytes, docs: owned, line, column, end: offset + source.length });
    if (docs.length > 0) docs = [];
    offset += source.length;
  };

  while (offset < text.length) {
    const character = text.charAt(offset);
    if (character === '\n') {
      offset++;
      line++;
      lineStart = offset;
      continue;
    }
    const space = match(SPACE);
    if (space) {
      offset += space[0].length;
      continue;
    }
    const comment = match(LINE_COMMENT);
    if (comment) {
      if (line - docsLine > 1) docs = [];
      docs.push((comment[1] ?? '').replace(/^\/?\s?/, '').trimEnd());
      docsLine = line;
      offset += comment[0].length;
      continue;
    }
    if (text.startsWith('/*', offset)) {
      const end = blockCommentEnd(text, offset, here());
      const skipped = text.slice(offset, end).split('\n');
      if (skipped.length > 1) {
        line += skipped.length - 1;
        lineStart = end - (skipped.at(-1)?.length ?? 0);
      }
      offset = end;
      continue;
    }
    if (character === '"') {
      const quoted = readQuoted(text, offset, here());
      push('text', quoted.source, quoted.bytes);
      continue;
    }
    const number = match(HEX_NUMBER) ?? match(DECIMAL_NUMBER) ?? match(SIGNED_WORD);
    if (number) {
      if (number[0].length > LONGEST_NUMBER)
        throw new CandidSyntaxError(`a number has at most ${LONGEST_NUMBER} characters here`, here());
      push('number', number[0]);
      continue;
    }
    const identifier = match(IDENTIFIER);
    if (identifier) {
      push('id', identifier[0]);
      continue;
    }
    const punctuation = match(PUNCTUATION);
    if (!punctuation) throw new CandidSyntaxError(`'${character}' has no meaning in Candid here`, here());
    push('punct', punctuation[0]);
  }
  push('end', '');
  return tokens;
}

function blockCommentEnd(text: string, start: number, at: Position): number {
  let depth = 0;
  for (let offset = start; offset < text.length; offset++) {
    if (text.startsWith('/*', offset)) {
      depth++;
      offset++;
    } else if (text.startsWith('*/', offset)) {
      depth--;
      offset++;
      if (depth === 0) return offset + 1;
    }
  }
  throw new CandidSyntaxError("this comment is never closed: add '*/'", at);
}
