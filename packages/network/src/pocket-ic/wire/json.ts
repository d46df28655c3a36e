import { badRequest } from '../../http/transport/request-error.ts';

/** A JSON value whose whole numbers beyond 2^53 are exact. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** Digits of the largest amount of cycles (128 bits). */
const MOST_DIGITS = 39;

/** What V8 tells the function that looks at each value: how a number is written. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const exact: Reviver = (_key, value, { source }) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  if (!/^-?\d+$/.test(source)) return value;
  if (source.length > MOST_DIGITS + 1) throw badRequest('A number has too many digits.');
  return BigInt(source);
};

/** Numbers with fewer digits are exact as they are; looking at each value takes time. */
const MAY_BE_LARGE = /\d{16}/;

/** Reads JSON; throws `RequestError` 400. */
export function parseJson(text: string): Json {
  try {
    if (!MAY_BE_LARGE.test(text)) return JSON.parse(text) as Json;
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as Json;
  } catch (error) {
    throw badRequest(
      error instanceof Error ? `The body is not JSON: ${error.message}` : 'The body is not JSON.',
    );
  }
}

/** A part of V8 that the types of the language do not know yet: a number as it is to be written. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Writes JSON; what is a `bigint` becomes a number with all its digits. */
export function writeJson(value: Json): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? rawJSON(String(each)) : each,
  );
}
