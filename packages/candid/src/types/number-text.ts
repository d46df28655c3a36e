import { IDL } from '@icp-sdk/core/candid';
import { CandidSyntaxError, CandidTypeError } from '../errors.ts';
import type { Token } from './lexer.ts';

/** A whole number as written, decimal or hexadecimal, with `_` between digits; undefined for a float. */
export function parseInteger(source: string): bigint | undefined {
  const match = /^([+-]?)(\d+(?:_\d+)*|0x[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)$/.exec(source);
  if (!match) return undefined;
  const size = BigInt((match[2] ?? '').replaceAll('_', ''));
  return match[1] === '-' ? -size : size;
}

/** A number as written, also `inf` and `nan`; undefined when it is none, or so small that a float would be 0. */
export function parseFloatText(source: string): number | undefined {
  const plain = source.replaceAll('_', '');
  const word = /^([+-]?)(inf|nan)$/.exec(plain);
  if (word) {
    const size = word[2] === 'inf' ? Number.POSITIVE_INFINITY : Number.NaN;
    return word[1] === '-' ? -size : size;
  }
  const integer = parseInteger(plain);
  if (integer !== undefined) return plain === '-0' ? -0 : Number(integer);
  const written = /^[+-]?(\d+(?:\.\d*)?)(?:e[+-]?\d+)?$/i.exec(plain);
  if (!written) return undefined;
  const number = Number(plain);
  // Another number than the one written: too small for a float.
  return number === 0 && /[1-9]/.test(written[1] ?? '') ? undefined : number;
}

/** The field id a number token stands for. Throws when it is signed, broken or above 32 bits. */
export function parseFieldId(token: Token): number {
  const id = /^\d|^0x/.test(token.source) ? parseInteger(token.source) : undefined;
  if (id === undefined) throw new CandidSyntaxError('the number of a field is a whole number', token);
  if (id > 0xffff_ffffn) throw new CandidTypeError('the id of a field is at most 4294967295', token);
  return Number(id);
}

/** Digits in groups of three, joined by `_`, as Candid allows: `1_000_000`. */
export function groupDigits(number: bigint | number): string {
  return number.toString().replace(/\B(?=(\d{3})+(?!\d))/g, '_');
}

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
