import { IDL } from '@icp-sdk/core/candid';

/** Smallest and largest whole number of a type; undefined is unbounded. `text` says it in words. */
export interface IntegerRange {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
  readonly text: string;
}

/** The range of a whole-number type, undefined for any other type. */
export function integerRange(type: IDL.Type): IntegerRange | undefined {
  if (type instanceof IDL.NatClass) return { min: 0n, max: undefined, text: 'it must be 0 or more' };
  if (type instanceof IDL.IntClass) return { min: undefined, max: undefined, text: 'any whole number' };
  if (type instanceof IDL.FixedNatClass) return between(0n, 2n ** BigInt(type._bits) - 1n);
  if (type instanceof IDL.FixedIntClass) {
    const half = 2n ** BigInt(type._bits - 1);
    return between(-half, half - 1n);
  }
  return undefined;
}

/** The number in the form the IDL library encodes for this type; undefined when it is out of range. */
export function integerFor(type: IDL.Type, value: bigint): bigint | number | undefined {
  const range = integerRange(type);
  if (!range) return undefined;
  if (range.min !== undefined && value < range.min) return undefined;
  if (range.max !== undefined && value > range.max) return undefined;
  const small = (type instanceof IDL.FixedNatClass || type instanceof IDL.FixedIntClass) && type._bits <= 32;
  return small ? Number(value) : value;
}

/** The float in the precision of its type; undefined when a finite number would become infinite, or another one 0. */
export function floatFor(type: IDL.FloatClass, value: number): number | undefined {
  const rounded = type._bits === 32 ? Math.fround(value) : value;
  const isEndless = Number.isFinite(value) && !Number.isFinite(rounded);
  return isEndless || (rounded === 0 && value !== 0) ? undefined : rounded;
}

function between(min: bigint, max: bigint): IntegerRange {
  return { min, max, text: `it must be between ${min} and ${max}` };
}
