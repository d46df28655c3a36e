import { CYCLES_PER_T } from './account.ts';

/** An amount of cycles in T for a sentence, exact and without trailing zeros: 1.5 T. */
export function formatTrillions(cycles: bigint): string {
  const whole = cycles / CYCLES_PER_T;
  const fraction = (cycles % CYCLES_PER_T)
    .toString()
    .padStart(12, '0')
    .replace(/(?<!0)0+$/, '');
  return `${whole}${fraction === '' ? '' : `.${fraction}`} T`;
}
