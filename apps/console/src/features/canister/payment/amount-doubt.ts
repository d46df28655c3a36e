import { readDecimal, topUpRange, type TopUpReading } from '@cannery/contract';

/** What may still become an amount by further keys: nothing yet, a number before its decimals, and a zero before what it is of. */
const UNFINISHED = /^(?:10|\d)?[.,]?$|^0?[.,]0$/;

/** Whether a text is no amount only because it is not written to its end. */
export function isUnfinished(text: string): boolean {
  return UNFINISHED.test(text.trim());
}

/** Why a text is no amount of a top-up; undefined for one, and for no text at all. */
export function amountReason(text: string, reading: TopUpReading): string | undefined {
  if ('cycles' in reading || text.trim() === '') return undefined;
  if (reading.problem !== undefined) return reading.problem;
  const typed = readDecimal(text);
  const { digits, decimals } = 'decimal' in typed ? typed.decimal : { digits: 0n, decimals: 0 };
  const isTooMuch = digits > BigInt(topUpRange.max) * 10n ** BigInt(decimals);
  return isTooMuch ? `At most ${topUpRange.max} T at a time.` : `At least ${topUpRange.min} T.`;
}
