import { InvalidModuleError } from '../module/reader.ts';
import { opcodeTable, range } from '../module/opcode-table.ts';
import { FC, OP } from '../module/opcodes.ts';

/**
 * `WASM_FUNCTION_COMPLEXITY_LIMIT` of dfinity/ic `rs/embedders/src/wasm_utils/validation.rs`. The limit of as many
 * instructions a function has there besides follows: each adds at least 1.
 */
const MAX_COMPLEXITY = 1_000_000;

/**
 * What each one-byte opcode adds to the complexity of its function: `wasm_function_complexity` of the replica.
 * Everything not listed adds 1.
 */
export const COMPLEXITIES = opcodeTable([
  [50, [OP.block, OP.loop, OP.if, OP.br, OP.brIf, OP.brTable, OP.call, OP.callIndirect, OP.memoryGrow]],
  [14, [OP.tableGet]],
  [8, [OP.refFunc]],
  [6, [OP.refIsNull]],
  // Conversions between integers and floats, i64.extend_i32 and f32.demote_f64.
  [5, range(0xa8, 0xba)],
  [4, [0x8b, 0x8c, 0x99, 0x9a]], // float abs, neg
  [3, [0x98, 0xa6, 0x61]], // float copysign, f64.eq
  [3, [...range(0x6d, 0x70), ...range(0x7f, 0x82), ...range(OP.firstLoad, 0x35)]], // division, loads
  [2, [OP.globalGet, 0x69, 0x7b, OP.select, OP.memorySize]], // popcnt
  [2, [...range(0x36, OP.lastStore), ...range(0x45, 0x60), ...range(0x62, 0x66)]], // stores, comparisons
  [2, [0x8d, 0x8e, 0x8f, 0x91, 0x9b, 0x9c, 0x9d, 0x9f]], // float ceil, floor, trunc, sqrt
  [2, [OP.i32WrapI64, ...range(0xbb, 0xc4)]], // f64.promote_f32, reinterpretation, sign extension
]);

/** The same for each opcode behind `0xfc`. */
export const FC_COMPLEXITIES = opcodeTable([
  [3, [...range(0, 7), FC.memoryFill]],
  [4, [FC.memoryCopy]],
]);

/** Adds up one function while it is read. */
export class FunctionComplexity {
  readonly #index: number;
  #complexity = 0;

  /** `index`: position of the function in the code section. */
  constructor(index: number) {
    this.#index = index;
  }

  /** Throws `InvalidModuleError` as soon as the function is too complex. */
  add(complexity: number): void {
    this.#complexity += complexity;
    if (this.#complexity <= MAX_COMPLEXITY) return;
    throw new InvalidModuleError(
      `Wasm module contains a function at index ${this.#index} with complexity ${this.#complexity} or more, which exceeds the maximum complexity allowed ${MAX_COMPLEXITY}.`,
    );
  }

  /** Throws for an instruction no canister may use. */
  refuse(instruction: string): never {
    throw new InvalidModuleError(
      `Wasm module contains a function at index ${this.#index} with unsupported instruction ${instruction}.`,
    );
  }
}
