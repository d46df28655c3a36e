import { lastWritten } from '@cannery/contract';

// oxlint-disable-next-line no-control-regex -- finds every escape sequence, so that all but colours can be left out.
const escapes = /\u001b(?:\[([\d:;<=>?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*\u0007?|[ -/]*[0-~]?)/g;
// oxlint-disable-next-line no-control-regex -- control characters other than tab, and marks that turn the reading direction.
const hidden = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Colours, bold and dim. No other look is let through: one that hides text would deceive the reader. */
const COLOUR =
  /^(?:(?:0?|1|2|22|3[0-7]|39|4[0-7]|49|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})(?:;(?!$)|$))+$/;
const RESET = '\u001b[0m';

/** A line longer than this is cut: a terminal would be busy with it for long. */
const MOST = 100_000;

/** A text of the server as one line for a terminal: without escape sequences and control characters. */
export function plain(text: string): string {
  return text.slice(0, MOST).replace(escapes, '').replace(hidden, '');
}

/**
 * A line of a log for a terminal. What a program has written over with a carriage return is left out, as the terminal
 * would have done.
 * @param withColours whether sequences of colours stay
 */
export function cleanLine(line: string, withColours: boolean): string {
  const text = lastWritten(line.slice(0, MOST));
  if (!withColours) return plain(text);
  let clean = '';
  let from = 0;
  let isColoured = false;
  for (const match of text.matchAll(escapes)) {
    const [sequence, parameters = '', kind] = match;
    clean += text.slice(from, match.index).replace(hidden, '');
    from = match.index + sequence.length;
    if (kind !== 'm' || !COLOUR.test(parameters)) continue;
    clean += sequence;
    isColoured = true;
  }
  clean += text.slice(from).replace(hidden, '');
  // A line must not colour what is printed after it.
  return isColoured ? clean + RESET : clean;
}

/** JSON in which no character does anything to a terminal. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    hidden,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
