import { spellUnseen } from '../reply/json.ts';

/** A text as a string of JavaScript, whoever wrote it. */
export function quoteScript(text: string): string {
  return spellUnseen(JSON.stringify(text));
}

/** What a terminal acts on, or does not show: pasted raw it could end the paste and begin a command. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Characters that stand for themselves between `$'` and `'`. */
const PLAIN = /[^\p{C}\p{Zl}\p{Zp}'\\]/u;

/**
 * A text as one word of bash or zsh, whoever wrote it: nothing in it is expanded, and nothing in the word is invisible.
 * Undefined for a text with the character NUL, which no program can be given.
 */
export function quoteShell(text: string): string | undefined {
  if (text.includes('\0')) return undefined;
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const encoder = new TextEncoder();
  let quoted = '';
  for (const character of text) {
    if (PLAIN.test(character)) quoted += character;
    else for (const byte of encoder.encode(character)) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `$'${quoted}'`;
}
