import { replicaErrors } from '../errors.ts';
import { ENTRY_POINT_NAMES } from './entry-point.ts';
import type { Invocation, SystemFunction, ValueType } from './system-function.ts';
import { SYSTEM_API } from './table.ts';

type WasmValue = number | bigint;
type WasmFunction = (...args: WasmValue[]) => WasmValue | undefined;

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

function bind(row: SystemFunction, api: Invocation): WasmFunction {
  const { params, result, from, charge, name } = row;
  return (...raw) => {
    const { context } = api;
    if (!from.has(context.entry)) {
      throw replicaErrors.wrongMode(context.canister.id, name, ENTRY_POINT_NAMES[context.entry]);
    }
    api.charge(charge);
    const args = params.map((type, position) => decode(type, raw[position] ?? 0));
    const value = row.run(api, args);
    return result === undefined || value === undefined ? undefined : encode(result, value, api.memory64);
  };
}

/** Functions of `ic0` a module with this pointer size may import. */
function available(memory64: boolean): readonly SystemFunction[] {
  return SYSTEM_API.filter((row) => !(memory64 && row.memory32Only));
}

/** Names a module imports that this network does not have; empty for a module that can be installed. */
export function unknownImports(
  imports: readonly { readonly module: string; readonly name: string; readonly kind: string }[],
  memory64: boolean,
): string[] {
  const known = new Set(available(memory64).map((row) => row.name));
  return imports
    .filter(({ module, name, kind }) => module !== 'ic0' || kind !== 'function' || !known.has(name))
    .map(({ module, name }) => `${module}.${name}`);
}

/** The `ic0` import object of one canister; `api` always shows the message at hand. */
export function systemImports(api: Invocation): Record<string, WasmFunction> {
  return Object.fromEntries(available(api.memory64).map((row) => [row.name, bind(row, api)]));
}
