import { CandidSyntaxError, type Position } from '../errors.ts';

const encoder = new TextEncoder();

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/**
 * Reads the quoted string whose opening quote stands at `start`, with the escapes `\n \r \t \\ \" \'`,
 * `\XX` (one byte) and `\u{...}` (one character). Throws CandidSyntaxError when it is not closed or an
 * escape is unknown.
 */
export function readQuoted(text: string, start: number, at: Position): { source: string; bytes: Uint8Array } {
  const bytes: number[] = [];
  let plainFrom = start + 1;
  let offset = plainFrom;

  const add = (part: string): void => {
    for (const byte of encoder.encode(part)) bytes.push(byte);
  };
  const fail = (message: string): never => {
    throw new CandidSyntaxError(message, { line: at.line, column: at.column + offset - start });
  };

  for (;;) {
    const character = text.charAt(offset);
    if (character === '' || character === '\n') {
      throw new CandidSyntaxError('this text is never closed: add a double quote at its end', at);
    }
    if (character === '"') break;
    if (character !== '\\') {
      offset++;
      continue;
    }
    add(text.slice(plainFrom, offset));
    const escape = text.charAt(offset + 1);
    const simple = SIMPLE_ESCAPES[escape];
    const byte = /^[0-9a-fA-F]{2}/.exec(text.slice(offset + 1, offset + 3));
    const unicode = /^u\{([0-9a-fA-F](?:_?[0-9a-fA-F])*)\}/.exec(text.slice(offset + 1, offset + 20));
    if (simple !== undefined) {
      add(simple);
      offset += 2;
    } else if (byte) {
      bytes.push(Number.parseInt(byte[0], 16));
      offset += 3;
    } else if (unicode) {
      const code = Number.parseInt((unicode[1] ?? '').replaceAll('_', ''), 16);
      const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      add(isScalar ? String.fromCodePoint(code) : fail('this is not a Unicode character'));
      offset += 1 + unicode[0].length;
    } else {
      fail(`'\\${escape}' is not an escape: use \\n, \\r, \\t, \\\\, \\", \\', \\XX or \\u{...}`);
    }
    plainFrom = offset;
  }
  add(text.slice(plainFrom, offset));
  return { source: text.slice(start, offset + 1), bytes: Uint8Array.from(bytes) };
}

/** The text of a quoted string's bytes. Throws CandidSyntaxError when they are not UTF-8. */
export function textOf(bytes: Uint8Array, at: Position): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CandidSyntaxError('the bytes of this text are not valid UTF-8', at);
  }
}
