import { OP } from '../module/opcodes.ts';
import type { FunctionType, ParsedModule, TableType } from '../module/parse-module.ts';
import { type AddressType, F32, F64, FUNCREF, I32, I64, V128 } from '../module/value-types.ts';

/** Functions the rewriter appends, in this order, after those of the module. */
const APPENDED_FUNCTIONS = [
  'touch',
  'touchRange',
  'grow',
  'chargeSize',
  'save',
  'restore',
  'callback',
] as const;
/** Globals the rewriter appends, in this order, before one shadow for each mutable global of the module. */
const APPENDED_GLOBALS = ['counter', 'size', 'limit', 'tainted'] as const;

type AppendedFunction = (typeof APPENDED_FUNCTIONS)[number];
export type AppendedGlobal = (typeof APPENDED_GLOBALS)[number];

/**
 * A mutable global and an appended global that keeps its bits: i32 for i32 and f32, i64 for i64 and f64, and two i64
 * for a v128, one a lane.
 */
interface ShadowedGlobal {
  readonly index: number;
  readonly type: number;
  readonly shadowIndex: number;
  readonly shadowType: typeof I32 | typeof I64;
  /** Instructions between the global and its bits; empty for integers. */
  readonly toBits: readonly number[];
  readonly fromBits: readonly number[];
  /** Whether `fromBits` also takes the global as it is, below the bits: a lane replaces a part of it. */
  readonly isLane: boolean;
}

const I64X2_EXTRACT_LANE = [OP.prefixSimd, 0x1d] as const;
const I64X2_REPLACE_LANE = [OP.prefixSimd, 0x1e] as const;

/** Index space of the rewritten module. Nothing of the original is renumbered: additions go to the end. */
export interface RewriteContext {
  readonly source: ParsedModule;
  readonly memory64: boolean;
  readonly address: AddressType;
  /** The original types followed by the appended functions' types. */
  readonly types: readonly FunctionType[];
  /** Type index of each appended function, in the order they are appended. */
  readonly appendedTypes: readonly number[];
  readonly functions: Readonly<Record<AppendedFunction, number>>;
  readonly globals: Readonly<Record<AppendedGlobal, number>>;
  readonly shadows: readonly ShadowedGlobal[];
  /** The table whose functions are callbacks: table 0, when it holds functions. */
  readonly callbackTable: TableType | undefined;
}

function sameList(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, position) => value === right[position]);
}

function indexOfType(types: FunctionType[], params: readonly number[], results: readonly number[]): number {
  const known = types.findIndex((type) => sameList(type.params, params) && sameList(type.results, results));
  return known >= 0 ? known : types.push({ params, results }) - 1;
}

/** The shadows of one global, the first at `shadowIndex`. */
function shadowsOf(index: number, type: number, shadowIndex: number): readonly ShadowedGlobal[] {
  if (type === V128) {
    return [0, 1].map((lane) => ({
      index,
      type,
      shadowIndex: shadowIndex + lane,
      shadowType: I64,
      toBits: [...I64X2_EXTRACT_LANE, lane],
      fromBits: [...I64X2_REPLACE_LANE, lane],
      isLane: true,
    }));
  }
  const wide = type === I64 || type === F64;
  const base = { index, type, shadowIndex, shadowType: wide ? I64 : I32, isLane: false } as const;
  if (type === F32) return [{ ...base, toBits: [OP.i32ReinterpretF32], fromBits: [OP.f32ReinterpretI32] }];
  if (type === F64) return [{ ...base, toBits: [OP.i64ReinterpretF64], fromBits: [OP.f64ReinterpretI64] }];
  return [{ ...base, toBits: [], fromBits: [] }];
}

function shadowsFrom(source: ParsedModule, firstShadow: number): ShadowedGlobal[] {
  const shadows: ShadowedGlobal[] = [];
  source.globals.forEach(({ type, mutable }, index) => {
    if (mutable) shadows.push(...shadowsOf(index, type, firstShadow + shadows.length));
  });
  return shadows;
}

function number<Name extends string>(names: readonly Name[], first: number): Record<Name, number> {
  return Object.fromEntries(names.map((name, position) => [name, first + position])) as Record<Name, number>;
}

export function createRewriteContext(source: ParsedModule): RewriteContext {
  const memory64 = source.memory?.memory64 ?? false;
  const address = memory64 ? I64 : I32;
  const table = source.tables[0];
  const callbackTable = table?.elementType === FUNCREF ? table : undefined;
  const types = [...source.types];
  const signatures: Readonly<Record<AppendedFunction, readonly [params: number[], results: number[]]>> = {
    touch: [[I32], []],
    touchRange: [[address, address], []],
    grow: [[address], [address]],
    chargeSize: [[I64], [I64]],
    save: [[], []],
    restore: [[], []],
    callback: [[callbackTable?.table64 ? I64 : I32, address], []],
  };
  const appended = APPENDED_FUNCTIONS.filter((name) => name !== 'callback' || callbackTable !== undefined);
  const appendedTypes = appended.map((name) => indexOfType(types, ...signatures[name]));
  if (callbackTable !== undefined) indexOfType(types, [address], []);
  const globals = number(APPENDED_GLOBALS, source.globals.length);
  const firstShadow = source.globals.length + APPENDED_GLOBALS.length;
  return {
    source,
    memory64,
    address,
    types,
    appendedTypes,
    functions: number(APPENDED_FUNCTIONS, source.imports.length + source.functions.length),
    globals,
    shadows: shadowsFrom(source, firstShadow),
    callbackTable,
  };
}

/** Type index of a callback: one parameter, the environment, of the address type. */
export function callbackType(context: RewriteContext): number {
  return context.types.findIndex(
    (type) => sameList(type.params, [context.address]) && type.results.length === 0,
  );
}
