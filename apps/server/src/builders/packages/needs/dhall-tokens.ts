import { ProjectFileError } from '../../source/project-file-error.ts';

/** A word, sign or text of a Dhall file. */
export interface DhallToken {
  readonly kind: 'word' | 'sign' | 'text' | 'import';
  readonly text: string;
  readonly line: number;
}

/** Most words and signs of a file; the public package set has 12,000. */
const TOKEN_LIMIT = 100_000;
/** Signs of the language, the longest first. */
const SIGNS = ['//', '⫽', '/\\', '->', '→', ...'{}[]()<>=,:#.|λ\\∀?@'];
const WORD = /[A-Za-z_][\w/-]*|\d+/y;
const QUOTED_WORD = /`([^`\n]{1,200})`/y;
const SPACE = /\s+|--[^\n]*/y;
/** An import: an address, or a path that begins with a dot; what follows is its hash. */
const IMPORT = /https?:\/\/[^\s()[\]{},]+|\.{1,2}\/[^\s()[\]{},]+/y;
const HASH = /sha256:[0-9a-f]{64}/y;
/** Characters of a text that mean themselves. */
const PLAIN_TEXT = /[^"\\\n$]+/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Splits the text of a Dhall file into words, signs and texts.
 * @throws ProjectFileError with the line of what cannot be read
 */
export function dhallTokens(text: string, file: string): DhallToken[] {
  const tokens: DhallToken[] = [];
  let at = 0;
  let line = 1;
  const fail = (problem: string): never => {
    throw new ProjectFileError(`${file}, line ${line}: ${problem}.`);
  };
  /** What the pattern finds here; the place moves behind it. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const skipComment = (): void => {
    const start = at;
    let depth = 0;
    do {
      if (text.startsWith('{-', at)) depth += 1;
      else if (text.startsWith('-}', at)) depth -= 1;
      at += text.startsWith('{-', at) || text.startsWith('-}', at) ? 2 : 1;
    } while (depth > 0 && at < text.length);
    line += text.slice(start, at).split('\n').length - 1;
  };
  const readText = (): string => {
    const value: string[] = [];
    for (at += 1; text[at] !== '"'; ) {
      const plain = take(PLAIN_TEXT);
      if (plain !== null) {
        value.push(plain[0]);
        continue;
      }
      if (at >= text.length || text[at] === '\n') fail('a text is never closed');
      if (text.startsWith('${', at)) fail('texts that contain other values are not supported here');
      const isEscape = text[at] === '\\';
      if (isEscape) at += 1;
      const sign = text[at] ?? '';
      value.push(isEscape ? (ESCAPES[sign] ?? sign) : sign);
      at += 1;
    }
    at += 1;
    return value.join('');
  };
  while (at < text.length) {
    const space = take(SPACE);
    if (space !== null) {
      line += space[0].split('\n').length - 1;
      continue;
    }
    if (tokens.length >= TOKEN_LIMIT) fail('the file is too long');
    if (text.startsWith('{-', at)) {
      skipComment();
      continue;
    }
    if (text[at] === '"') {
      tokens.push({ kind: 'text', text: readText(), line });
      continue;
    }
    const address = take(IMPORT);
    if (address !== null) {
      tokens.push({ kind: 'import', text: address[0], line });
      take(SPACE);
      take(HASH);
      continue;
    }
    const word = take(QUOTED_WORD) ?? take(WORD);
    if (word !== null) {
      tokens.push({ kind: 'word', text: word[1] ?? word[0], line });
      continue;
    }
    const sign = SIGNS.find((known) => text.startsWith(known, at));
    if (sign === undefined) return fail(`'${text[at]}' is not supported here`);
    at += sign.length;
    tokens.push({ kind: 'sign', text: sign, line });
  }
  return tokens;
}
