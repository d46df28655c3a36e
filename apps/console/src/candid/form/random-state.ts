import { fieldsOf, floatText, integerRange, isBlob, unwrap } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { hexText } from './blob-bytes.ts';
import type { FieldState } from './field-state.ts';
import { simplestChoice } from './initial-state.ts';

/** Deeper than this options stay off, lists empty, and variants take their simplest choice. */
const DEEP = 4;
/** A record that cannot be without one of its own kind ends here, as a part to be opened by hand. */
const TOO_DEEP = 12;
/** With more parts than this the rest is filled as if it were deep. */
const MANY_PARTS = 300;
const WORDS = [
  'amber',
  'basil',
  'cinder',
  'dune',
  'ember',
  'fjord',
  'grün',
  'hush',
  'iris',
  '“quoted”',
  '🍞',
];
/** Bits of the unbounded numbers: most are small, some pass what 64 bits hold. */
const UNBOUNDED_BITS = [4, 8, 16, 32, 64, 80] as const;

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** A form filled at random: every part gets a value its type takes, and recursive types come to an end. */
export function randomState(type: IDL.Type, random: Random = Math.random): FieldState {
  return fill(type, { random, parts: 0 }, 0);
}

interface Filling {
  readonly random: Random;
  /** How many parts have been filled. */
  parts: number;
}

function fill(outer: IDL.Type, filling: Filling, depth: number): FieldState {
  const type = unwrap(outer);
  const { random } = filling;
  filling.parts++;
  const isDeep = depth >= DEEP || filling.parts > MANY_PARTS;
  const isTooDeep = depth > TOO_DEEP || filling.parts > 2 * MANY_PARTS;
  const part = (inner: IDL.Type): FieldState => fill(inner, filling, depth + 1);
  if (isBlob(type)) return { kind: 'blob', source: 'hex', text: hexText(bytes(random, 8)), file: undefined };
  if (type instanceof IDL.OptClass) {
    const some = !isDeep && random() < 0.7;
    return { kind: 'opt', some, inner: some ? part(type._type) : undefined };
  }
  if (type instanceof IDL.VecClass) {
    const inner: IDL.Type = type._type;
    const length = isDeep ? 0 : 1 + below(random, 3);
    return {
      kind: 'vec',
      items: Array.from({ length }, (_, index) => ({ key: index + 1, state: part(inner) })),
    };
  }
  if (type instanceof IDL.RecordClass) {
    if (isTooDeep) return { kind: 'collapsed' };
    return { kind: 'fields', parts: fieldsOf(type).map(([, inner]) => part(inner)) };
  }
  if (type instanceof IDL.VariantClass) {
    if (isTooDeep) return { kind: 'collapsed' };
    const chosen = isDeep ? simplestChoice(type) : pick(random, fieldsOf(type));
    if (!chosen) return { kind: 'variant', choice: '', entered: new Map() };
    return { kind: 'variant', choice: chosen[0], entered: new Map([[chosen[0], part(chosen[1])]]) };
  }
  return leaf(type, random);
}

function leaf(type: IDL.Type, random: Random): FieldState {
  if (type instanceof IDL.BoolClass) return { kind: 'bool', value: random() < 0.5 };
  if (type instanceof IDL.NullClass || type instanceof IDL.ReservedClass) return { kind: 'fixed' };
  if (type instanceof IDL.FuncClass) {
    return {
      kind: 'func',
      canister: principalText(random, 10),
      method: pick(random, ['get', 'put', 'tell']),
    };
  }
  if (type instanceof IDL.ServiceClass) return text(principalText(random, 10));
  if (type instanceof IDL.PrincipalClass) return text(principalText(random, 29));
  if (type instanceof IDL.TextClass) return text(`${pick(random, WORDS)} ${pick(random, WORDS)}`);
  if (type instanceof IDL.FloatClass) return text(floatText(Math.round((random() - 0.5) * 200_000) / 100));
  const range = integerRange(type);
  // What is left has no values at all.
  if (!range) return text('');
  const { min, max } = range;
  const bits = max === undefined ? pick(random, UNBOUNDED_BITS) : max.toString(2).length;
  const size = bigBelow(random, 1 + below(random, bits));
  const isNegative = (min === undefined || min < 0n) && random() < 0.5;
  return text(String(isNegative ? -size : size));
}

function text(entered: string): FieldState {
  return { kind: 'text', text: entered };
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** A whole number of at most this many bits. */
function bigBelow(random: Random, bits: number): bigint {
  let number = 0n;
  for (let bit = 0; bit < bits; bit++) number = number * 2n + (random() < 0.5 ? 0n : 1n);
  return number;
}

function pick<const T extends readonly [unknown, ...unknown[]]>(random: Random, from: T): T[number];
function pick<T>(random: Random, from: readonly T[]): T | undefined;
function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[below(random, from.length)];
}

function bytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => below(random, 256));
}

function principalText(random: Random, length: number): string {
  return Principal.fromUint8Array(bytes(random, length)).toText();
}
