import { spellUnseen } from '../reply/spell-unseen.ts';

/** A text as a string of JavaScript, whoever wrote it. */
export function quoteScript(text: string): string {
  return spellUnseen(JSON.stringify(text));
}
