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
