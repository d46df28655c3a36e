import { describe, test } from 'vitest';
import { expectLinear } from './expect-linear.ts';

/** A text that can be made of any length: its beginning, what is repeated, and its end. */
export type Growing = readonly [start: string, part: string, end?: string];

/** A reader of texts, with the texts that are hardest for it. */
export interface TextReader {
  /** The name by which readers.json knows this row. */
  readonly name: string;
  /** Characters of the longest text that it reads. */
  readonly cap: number;
  /** Most processor time of the longest text, in milliseconds. */
  readonly most: number;
  /** An error is an answer. */
  readonly read: (text: string) => unknown;
  readonly texts: readonly Growing[];
}

/** A growing text of about this many characters. */
function grown([start, part, end = '']: Growing, size: number): string {
  return start + part.repeat(Math.max(1, Math.floor((size - start.length - end.length) / part.length))) + end;
}

/** Declares a doubling test for each text of each reader. */
export function doubleTexts(readers: readonly TextReader[]): void {
  describe.each(readers)(
    'twice as much of $name takes at most twice the time',
    ({ cap, most, read, texts }) => {
      test.each(texts.map((text) => [JSON.stringify(text), text] as const))('%s', async (_, text) => {
        await expectLinear({ input: (size) => grown(text, size), read, cap }, most);
      });
    },
  );
}
