import type { Position } from '@cannery/candid';
import type { FieldState } from './field-state.ts';

/** This many characters of a long line are shown on either side of a place. */
const AROUND = 32;

/** A place in a text, with what stands around it in its line. */
interface TextPlace {
  /** Index of the place in the text, counted from 0. */
  readonly offset: number;
  readonly before: string;
  /** The word or sign at the place. */
  readonly at: string;
  readonly behind: string;
}

/** What stands at a place of a text; a space when it is the end of a line. */
export function placeIn(text: string, { line, column }: Position): TextPlace {
  const lines = text.split('\n');
  const wanted = lines[line - 1] ?? '';
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const word = /^([\w.+-]+|.)/su.exec(wanted.slice(column - 1))?.[0] ?? ' ';
  const before = wanted.slice(0, column - 1).trimStart();
  const behind = wanted.slice(column - 1 + word.length);
  return {
    offset: start + column - 1,
    before: before.length > AROUND ? `…${before.slice(-AROUND)}` : before,
    at: word,
    behind: behind.length > AROUND ? `${behind.slice(0, AROUND)}…` : behind,
  };
}

/** A blob of this many bytes is too long to be read as text. */
const LONG = 64 * 1024;

/** Whether a form holds a file too long to be shown as text. */
export function hasLongFile(states: readonly FieldState[]): boolean {
  return states.some((state) => {
    switch (state.kind) {
      case 'blob':
        return state.source === 'file' && (state.file?.bytes.length ?? 0) > LONG;
      case 'opt':
        return state.some && state.inner !== undefined && hasLongFile([state.inner]);
      case 'vec':
        return hasLongFile(state.items.map((item) => item.state));
      case 'fields':
        return hasLongFile(state.parts);
      case 'variant': {
        const chosen = state.entered.get(state.choice);
        return chosen !== undefined && hasLongFile([chosen]);
      }
      default:
        return false;
    }
  });
}
