import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTest, sourceFiles } from '../source-files.ts';

/** Where cycles become text: for the console, and for sentences of the server. */
const FORMATTERS =
  /^(?:\.\/)?(?:apps\/console\/src\/lib\/text\/cycles\.ts|packages\/contract\/src\/account\.ts)$/;
/** A value with the unit put behind it by hand, in a template or in markup; names of limits and presets in T are no cycles. */
const BY_HAND = /\}(?:<\/[a-z]+>)? ?T\b/;
const IN_T = /\b(?:topUpRange\.max|preset|STARTING_MOST_T)\} T\b/;
/** Digits of cycles that somebody has separated or cut. */
const DIGITS = /\bcycles\b[^\n]{0,30}\.(?:toLocaleString|toFixed)\(/i;

function writtenByHand(text: string): string[] {
  return text.split('\n').filter((line) => (BY_HAND.test(line) && !IN_T.test(line)) || DIGITS.test(line));
}

test('every text with a number of cycles goes through one of the two formatters', () => {
  const files = sourceFiles(/\.tsx?$/).filter((file) => !isTest(file) && !FORMATTERS.test(file));
  expect(files.length).toBeGreaterThan(1_000);
  expect(
    files.flatMap((file) => writtenByHand(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`)),
  ).toEqual([]);
});

test('a text that is written by hand is found', () => {
  for (const line of [
    'const text = `${cycles / CYCLES_PER_T} T`;',
    '<b>{inT}</b> T left',
    '`${call.cycles.toLocaleString()} cycles`',
  ])
    expect(writtenByHand(line)).toEqual([line]);
  expect(writtenByHand('`Between ${least} and ${topUpRange.max} T`')).toEqual([]);
});
