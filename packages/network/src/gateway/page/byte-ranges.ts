import { type CanisterHttpRequest, type Header, headerValue, headerValues } from '../proof/http-messages.ts';

/** Bytes of a body, from 0 on; `last` is one of them. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** One part of a `Range` header: from `first` to `last` or to the end, or the last `suffix` bytes. */
type RangeSpec =
  | { readonly first: number; readonly last: number }
  | { readonly suffix: number; readonly first?: never };

/** What a client asks for. */
export interface RangesAsked {
  readonly specs: readonly RangeSpec[];
  /** The body that the client has a part of, by ETag or date; it wants all of another one. */
  readonly condition: string | undefined;
}

/** Longest header that is read, in characters. */
const MAX_LENGTH = 1_000;
/** Most ranges of a request; who asks for more gets all. Players and viewers of documents ask for a few. */
const MAX_RANGES = 16;
const UNIT = 'bytes=';

/**
 * The ranges that a request asks for (RFC 9110, section 14.2); undefined where it asks for all: by another method, in an
 * unknown unit, or in a form that is not understood.
 */
export function rangesAsked({ method, headers }: CanisterHttpRequest): RangesAsked | undefined {
  const [value, ...more] = headerValues(headers, 'range');
  if (method !== 'GET' || value === undefined || more.length > 0) return undefined;
  const specs = parseRanges(value);
  const conditions = headerValues(headers, 'if-range');
  return specs && { specs, condition: conditions.length > 0 ? conditions.join(', ') : undefined };
}

/** The parts of a `Range` header; undefined where it is to be ignored. */
export function parseRanges(value: string): readonly RangeSpec[] | undefined {
  if (value.length > MAX_LENGTH || value.slice(0, UNIT.length).toLowerCase() !== UNIT) return undefined;
  const texts = value
    .slice(UNIT.length)
    .split(',')
    .map((text) => text.trim());
  const specs = texts.filter((text) => text !== '').map(parseSpec);
  if (specs.length === 0 || specs.length > MAX_RANGES) return undefined;
  return specs.every((spec) => spec !== undefined) ? specs : undefined;
}

function parseSpec(text: string): RangeSpec | undefined {
  const [from, to, ...more] = text.split('-');
  if (from === undefined || to === undefined || more.length > 0) return undefined;
  const [first, last] = [number(from), number(to)];
  if (from === '') return last === undefined ? undefined : { suffix: last };
  if (first === undefined || (to !== '' && (last === undefined || last < first))) return undefined;
  return { first, last: last ?? Number.POSITIVE_INFINITY };
}

/** Numbers may have more digits than any body has bytes. */
function number(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Which bytes of a body of this length are asked for, in their order and none twice: ranges that overlap or touch are one.
 * Empty where all of them are behind the end.
 */
export function resolveRanges(specs: readonly RangeSpec[], length: number): readonly ByteRange[] {
  const ranges = specs
    .map((spec) => ({
      first: spec.first ?? Math.max(0, length - spec.suffix),
      last: Math.min(spec.first === undefined ? length : spec.last, length - 1),
    }))
    .filter(({ first, last }) => first <= last)
    .sort((a, b) => a.first - b.first);
  const merged: ByteRange[] = [];
  for (const range of ranges) {
    const before = merged.at(-1);
    if (before && range.first <= before.last + 1) {
      merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
    } else merged.push(range);
  }
  return merged;
}

/**
 * Whether the ranges are of the body with these headers, or of whatever is there (RFC 9110, section 13.1.5). Weak ETags never
 * say so, and dates only those that are at least a second old at `nowMillis`: within one it may have changed again.
 */
export function isOfBody(
  { condition }: RangesAsked,
  headers: readonly Header[],
  nowMillis = Date.now(),
): boolean {
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === headerValue(headers, 'etag');
  const modified = headerValue(headers, 'last-modified');
  return condition === modified && Date.parse(modified) <= nowMillis - 1_000;
}
