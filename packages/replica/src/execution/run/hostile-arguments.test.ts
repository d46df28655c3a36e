import { describe, expect, test } from 'vitest';
import { contextOf } from '../../../test/canisters/entered-canister.ts';
import { wat } from '../../../../wasm/test/wasm.ts';
import { StableMemory } from '../../state/stable-memory.ts';
import { ENTRY_POINT_NAMES, type EntryPoint } from '../../system-api/entry-point.ts';
import type { SystemFunction, ValueType } from '../../system-api/system-function.ts';
import { SYSTEM_API } from '../../system-api/imports.ts';
import { compileModule, prepareModule } from '@cannery/wasm/rewrite/prepare';
import { LoadedCode } from './loaded-code.ts';
import { run } from './run.ts';

const ENTRY_POINTS = Object.keys(ENTRY_POINT_NAMES) as EntryPoint[];
const PAGE = 65_536;
/** Sizes, pointers and numbers around every border there is. */
const ODD = [
  0n,
  1n,
  2n,
  3n,
  16n,
  29n,
  30n,
  32n,
  33n,
  128n,
  129n,
  4_095n,
  8_193n,
  20_001n,
  65_520n,
  65_535n,
  65_536n,
  65_537n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 30n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 32n + 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 30n,
  2n ** 64n - 1n,
];
const ROUNDS = 15;
/** Trap, call of `ic0.trap`, contract violation. */
const CANISTER_FAULTS = ['IC0502', 'IC0503', 'IC0504'];

/** A small generator with a fixed seed (xorshift): a failure comes back. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const typed = (type: ValueType, memory64: boolean): string => {
  if (type === 'i32' || type === 'i64') return type;
  return memory64 ? 'i64' : 'i32';
};

/** One exported function for each of `ic0`, which takes its arguments from the first words of the memory. */
function moduleOf(functions: readonly SystemFunction[], memory64: boolean): string {
  const address = memory64 ? 'i64' : 'i32';
  const imports = functions.map(({ name, params, result }) => {
    const types = params.map((type) => typed(type, memory64)).join(' ');
    return `(import "ic0" "${name}" (func $${name} (param ${types}) ${result ? `(result ${typed(result, memory64)})` : ''}))`;
  });
  const exports = functions.map(({ name, params, result }) => {
    const loads = params.map((type, at) => `(${typed(type, memory64)}.load (${address}.const ${8 * at}))`);
    return `(func (export "call ${name}") (call $${name} ${loads.join(' ')}) ${result ? 'drop' : ''})`;
  });
  return `(module ${imports.join('\n')} (memory ${memory64 ? 'i64' : ''} 1) ${exports.join('\n')})`;
}

function words(values: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, at) => view.setBigUint64(8 * at, value, true));
  return new Uint8Array(view.buffer);
}

/** Runs one call as its own message; says how it ended. */
function attempt(
  code: LoadedCode,
  context: Parameters<typeof run>[1],
  name: string,
  values: readonly bigint[],
): string {
  try {
    const { error } = run(code, context, () => {
      code.write(0, words(values));
      code.instance.call(`call ${name}`);
    });
    if (!error) code.rollback();
    return error ? `${error.errorCode} ${error.message}` : 'returned';
  } catch (error) {
    return String(error);
  }
}

function isExpected(outcome: string, allowed: boolean): boolean {
  if (outcome.startsWith('IC0522 ')) return true;
  if (!allowed) return outcome.startsWith('IC0504 ') && outcome.includes('cannot be executed in');
  if (outcome === 'returned' || outcome.startsWith('StaleCertificate')) return true;
  return CANISTER_FAULTS.includes(outcome.slice(0, 'IC0000'.length));
}

describe.each([
  ['32-bit', false],
  ['64-bit', true],
])('%s pointers', (_name, memory64) => {
  const functions = SYSTEM_API.filter((row) => !(memory64 && row.memory32Only));
  const prepared = prepareModule(wat(moduleOf(functions, memory64)));
  const compiled = { prepared, module: compileModule(prepared) };

  test.each(functions.map((row) => [row.name, row] as const))(
    '%s takes any arguments from anywhere, and at worst traps',
    (name, row) => {
      const random = randomFrom(0x9e3779b9);
      const stable = new StableMemory(2, (_first, count) => new Uint8Array(count * 4_096));
      const code = LoadedCode.create(Uint8Array.of(1), compiled, stable);
      const surprises: string[] = [];
      for (const entry of ENTRY_POINTS) {
        for (let round = 0; round < ROUNDS; round++) {
          const values = row.params.map(() => ODD[random(ODD.length)] ?? 0n);
          const outcome = attempt(code, contextOf(entry, { certified: round % 2 === 0 }), name, values);
          const sizes = code.instance.memoryBytes() === PAGE && stable.pages === 2;
          if (sizes && isExpected(outcome, row.from.has(entry))) continue;
          surprises.push(`${name}(${values.join(', ')}) from ${ENTRY_POINT_NAMES[entry]}: ${outcome}`);
        }
      }
      expect(surprises).toEqual([]);
      expect(code.read(0, PAGE)).toEqual(new Uint8Array(PAGE));
    },
  );
});
