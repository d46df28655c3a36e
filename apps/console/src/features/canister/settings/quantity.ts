import { inUnits, readDecimal } from '@cannery/contract';

/** A unit people count in, with how many of the network's units it is. */
interface Unit {
  readonly name: string;
  readonly factor: bigint;
}

/** From the largest to the network's own, which comes last. */
export type Units = readonly [...Unit[], Unit];

const KIB = 1024n;

export const byteUnits: Units = [
  { name: 'GiB', factor: KIB ** 3n },
  { name: 'MiB', factor: KIB ** 2n },
  { name: 'KiB', factor: KIB },
  { name: 'bytes', factor: 1n },
];

export const durationUnits: Units = [
  { name: 'days', factor: 86_400n },
  { name: 'hours', factor: 3_600n },
  { name: 'seconds', factor: 1n },
];

export const cycleUnits: Units = [
  { name: 'T cycles', factor: 10n ** 12n },
  { name: 'cycles', factor: 1n },
];

export const percentUnits: Units = [{ name: '%', factor: 1n }];

/** A number as typed, in a unit. */
export interface Quantity {
  readonly text: string;
  readonly unit: string;
}

/** Decimals an amount may have and still be shown in a unit. */
const DECIMALS = 2n;

/** An amount in the largest unit that holds it with two decimals at most; zero is in the unit people start with. */
export function quantityOf(amount: string, units: Units): Quantity {
  const value = BigInt(amount);
  const first = units[0];
  if (value === 0n) return { text: '0', unit: first.name };
  const scale = 10n ** DECIMALS;
  // The last unit holds every amount.
  const unit = units.find(({ factor }) => value >= factor && (value * scale) % factor === 0n) ?? first;
  const hundredths = ((value * scale) / unit.factor).toString();
  const decimals = hundredths.slice(-2).replace(/(?<!0)0+$/, '');
  return { text: `${hundredths.slice(0, -2)}${decimals === '' ? '' : `.${decimals}`}`, unit: unit.name };
}

/** The amount in the network's unit, as decimal text; undefined when it is no number or no whole amount. */
export function amountOf({ text, unit }: Quantity, units: Units): string | undefined {
  const factor = units.find(({ name }) => name === unit)?.factor;
  const reading = readDecimal(text);
  if (factor === undefined || !('decimal' in reading)) return undefined;
  return inUnits(reading.decimal, factor)?.toString();
}
