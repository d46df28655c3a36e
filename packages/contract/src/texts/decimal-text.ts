/** A number of zero or more as somebody typed it, exact: 0,01 is digits 1 with 2 decimals. */
export interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** A number, or a sentence on why a text is none. */
export type DecimalReading = { readonly decimal: Decimal } | { readonly problem: string };

/** Most digits on each side of the point; far more than any amount has. */
const MOST_DIGITS = 30;

const NUMBER = new RegExp(`^(?:\\d{1,${MOST_DIGITS}})?(?:[.,]\\d{1,${MOST_DIGITS}})?$`);
/** One thousand and more with a separator, or a decimal comma: nobody can tell. */
const TWO_READINGS = /^[1-9]\d{0,2},\d{3}$/;

/** Why a text of two readings is refused; undefined for every other. */
export function twoReadings(typed: string): string | undefined {
  const text = typed.trim();
  if (!TWO_READINGS.test(text)) return undefined;
  return `Write ${text.replace(',', '')} or ${text.replace(',', '.')}: ${text} can be read as both.`;
}

/**
 * Reads a number that was typed or pasted: digits with at most one point or comma, which begins the decimals.
 * Signs, exponents, separators, spaces inside and digits of other scripts are refused: what is read is the amount on the
 * screen, or nothing.
 */
export function readDecimal(typed: string): DecimalReading {
  const text = typed.trim();
  const doubt = twoReadings(text);
  if (doubt !== undefined) return { problem: doubt };
  if (text === '' || !NUMBER.test(text)) {
    return { problem: 'Write a number such as 0.5: only digits, and at most one decimal point.' };
  }
  const [whole = '', decimals = ''] = text.split(/[.,]/);
  return { decimal: { digits: BigInt(whole + decimals), decimals: decimals.length } };
}

/** How many of a smaller unit a number is; undefined where that is no whole number. @param factor how many make one */
export function inUnits({ digits, decimals }: Decimal, factor: bigint): bigint | undefined {
  const scale = 10n ** BigInt(decimals);
  return (digits * factor) % scale === 0n ? (digits * factor) / scale : undefined;
}

/** A number without what is beyond some decimals: 1.239 with two is 1.23. */
export function cutDecimals({ digits, decimals }: Decimal, most: number): Decimal {
  if (decimals <= most) return { digits, decimals };
  return { digits: digits / 10n ** BigInt(decimals - most), decimals: most };
}

/** A number as plain digits with a point, the shortest way. */
export function decimalText({ digits, decimals }: Decimal): string {
  const text = digits.toString().padStart(decimals + 1, '0');
  const fraction = decimals === 0 ? '' : text.slice(-decimals).replace(/(?<!0)0+$/, '');
  const whole = decimals === 0 ? text : text.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
