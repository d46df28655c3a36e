import { MAX_ADVANCE_SECONDS } from '@cannery/contract';

/** Units that time is set ahead in, in seconds. */
const seconds = { minutes: 60, hours: 3_600, days: 86_400 } as const;
export type SpanUnit = keyof typeof seconds;

export const spanUnits = [
  { value: 'minutes', label: 'Minutes' },
  { value: 'hours', label: 'Hours' },
  { value: 'days', label: 'Days' },
] as const satisfies readonly { value: SpanUnit; label: string }[];

/** A time span as it is typed. */
export interface TypedSpan {
  readonly amount: string;
  readonly unit: SpanUnit;
}

/** @returns whole seconds, or `mistake`: what is wrong with the amount */
export function readSpan({
  amount,
  unit,
}: TypedSpan): { readonly seconds: number } | { readonly mistake: string } {
  const text = amount.trim();
  if (!/^\d{1,8}$/.test(text) || Number(text) === 0)
    return { mistake: 'Enter a whole number of at least 1.' };
  const span = Number(text) * seconds[unit];
  return span > MAX_ADVANCE_SECONDS ? { mistake: 'At most 366 days at a time.' } : { seconds: span };
}

/** A span in words: '1 day', '36 hours'. */
export function spanText(span: number): string {
  const parts = (['days', 'hours', 'minutes'] as const).map((unit) => [unit, span / seconds[unit]] as const);
  const [unit, count] = parts.find(([, count]) => Number.isInteger(count)) ?? ['seconds', span];
  return `${count.toLocaleString('en-US')} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** By how much time is ahead, to the largest unit that says something. */
export function aheadText(span: number): string {
  const unit = (['days', 'hours', 'minutes'] as const).find((each) => span >= seconds[each]);
  return unit === undefined ? spanText(span) : spanText(Math.round(span / seconds[unit]) * seconds[unit]);
}
