import { replicaErrors } from '@cannery/ic/errors';
import type { ImportedFunction } from '@cannery/wasm/rewrite/prepare';
import { HeapRangeTrap } from '@cannery/wasm/instance/trap';
import { outOfRange } from './blob.ts';
import { ENTRY_POINT_NAMES } from './entry-point.ts';
import type { Invocation, SystemFunction, ValueType } from './system-function.ts';
import { callFunctions } from './call-functions.ts';
import { costFunctions, cyclesFunctions } from './cycles-functions.ts';
import { environmentFunctions } from './environment-functions.ts';
import { identityFunctions } from './identity-functions.ts';
import { messageFunctions } from './message-functions.ts';
import { stableFunctions } from './stable-functions.ts';
import { systemFunctions } from './system-functions.ts';

/** Every function of the `ic0` module. Charges: dfinity/ic `rs/embedders/.../system_api_complexity.rs`. */
export const SYSTEM_API: readonly SystemFunction[] = [
  ...messageFunctions,
  ...cyclesFunctions,
  ...identityFunctions,
  ...callFunctions,
  ...stableFunctions,
  ...systemFunctions,
  ...environmentFunctions,
  ...costFunctions,
];

type WasmValue = number | bigint;
type WasmFunction = (...args: WasmValue[]) => WasmValue | undefined;

const SYSTEM_MODULE = 'ic0';

/** Addresses above this cannot exist; a larger pointer reads as one that is out of every bound. */
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

function decode(type: ValueType, value: WasmValue): WasmValue {
  if (type === 'i32') return Number(value) >>> 0;
  if (type === 'i64') return BigInt.asUintN(64, BigInt(value));
  if (typeof value === 'number') return type === 'ptr' ? value >>> 0 : BigInt(value >>> 0);
  const wide = BigInt.asUintN(64, value);
  if (type === 'word') return wide;
  return wide > MAX_SAFE ? Number.MAX_SAFE_INTEGER : Number(wide);
}

function encode(type: ValueType, value: WasmValue, memory64: boolean): WasmValue {
  if (type === 'i32') return Number(value);
  if (type === 'i64' || memory64) return BigInt(value);
  return Number(value);
}

/** What a call costs: the fixed part and the bytes, of which there may be more than a number can count exactly. */
function priceOf({ charge, sizes, perByte }: SystemFunction, args: readonly WasmValue[]): number {
  let price = charge;
  for (const position of sizes) {
    price += perByte * Math.min(Number(args[position] ?? 0), Number.MAX_SAFE_INTEGER);
  }
  return price;
}

function bind(row: SystemFunction, api: Invocation): WasmFunction {
  const { params, result, from, name } = row;
  const isFree = row.charge === 0 && params.length === 0;
  return (...raw) => {
    const args = isFree ? [] : params.map((type, position) => decode(type, raw[position] ?? 0));
    if (!isFree) api.charge(priceOf(row, args));
    const { context } = api;
    if (!from.has(context.entry)) {
      throw replicaErrors.wrongMode(context.canister.id, name, ENTRY_POINT_NAMES[context.entry]);
    }
    try {
      const value = row.run(api, args);
      return result === undefined || value === undefined ? undefined : encode(result, value, api.memory64);
    } catch (error) {
      if (!(error instanceof HeapRangeTrap)) throw error;
      throw replicaErrors.contractViolation(context.canister.id, outOfRange(`ic0.${name} heap`, error));
    }
  };
}

/** Functions of `ic0` a module with this pointer size may import. */
function available(memory64: boolean): readonly SystemFunction[] {
  return SYSTEM_API.filter((row) => !(memory64 && row.memory32Only));
}

/** The type of a value as WebAssembly knows it. */
function wasmType(type: ValueType, memory64: boolean): string {
  if (type === 'i32' || type === 'i64') return type;
  return memory64 ? 'i64' : 'i32';
}

function signatureFault(
  row: SystemFunction,
  actual: ImportedFunction,
  memory64: boolean,
): string | undefined {
  const listed = (types: readonly string[]): string => `[${types.join(', ')}]`;
  const params = listed(row.params.map((type) => wasmType(type, memory64)));
  const results = listed(row.result === undefined ? [] : [wasmType(row.result, memory64)]);
  const faulty = (what: string, expected: string, got: string): string =>
    `Wasm module has an invalid function signature. Expected ${what} ${expected} for '${row.name}', got ${got}.`;
  if (listed(actual.params) !== params) return faulty('input params', params, listed(actual.params));
  return listed(actual.results) === results
    ? undefined
    : faulty('return type', results, listed(actual.results));
}

/**
 * Why a module with these imports cannot be installed (`validate_import_section` in dfinity/ic
 * `rs/embedders/src/wasm_utils/validation.rs`); nothing for a module that can.
 */
export function importFault(imports: readonly ImportedFunction[], memory64: boolean): string | undefined {
  const known = new Map(available(memory64).map((row) => [row.name, row]));
  for (const entry of imports) {
    const row = known.get(entry.name);
    if (row === undefined) {
      return `Wasm module has an invalid import section. Module imports function '${entry.name}' from '${entry.module}' that is not exported by the runtime.`;
    }
    if (entry.module !== SYSTEM_MODULE) {
      return `Wasm module has an invalid import section. Module imports function "${entry.name}" from "${entry.module}", expected to be imported from one of ["${SYSTEM_MODULE}"] instead.`;
    }
    const fault = signatureFault(row, entry, memory64);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The `ic0` import object of one canister; `api` always shows the message at hand. */
export function systemImports(api: Invocation): Record<string, WasmFunction> {
  return Object.fromEntries(available(api.memory64).map((row) => [row.name, bind(row, api)]));
}
