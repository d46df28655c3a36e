/**
 * Instruction weights of the replica: `instruction_to_cost` in dfinity/ic
 * `rs/embedders/src/wasm_utils/instrumentation.rs` (commit 002d553). Everything not listed weighs 1.
 */
import { opcodeTable, range } from '../module/opcode-table.ts';
import { FC, OP, SIMD } from '../module/opcodes.ts';

/** Weight of each one-byte opcode, memory access apart (see `memoryAccessWeight`). */
export const WEIGHTS = opcodeTable([
  [0, [OP.block, OP.loop, OP.else, OP.end]],
  [2, [OP.if, OP.br, OP.brIf, OP.brTable, OP.globalGet, OP.globalSet]],
  [5, [OP.call]],
  [10, [OP.callIndirect]],
  [3, [OP.returnCall]],
  [60, [OP.returnCallIndirect]],
  [5, [OP.tableGet, OP.tableSet, OP.refIsNull]],
  [20, [OP.memorySize]],
  [300, [OP.memoryGrow]],
  [130, [OP.refFunc]],
  [3, range(0x5b, 0x66)], // float comparisons
  [10, [...range(0x6d, 0x70), ...range(0x7f, 0x82)]], // integer division and remainder
  [2, range(0x8d, 0x90)], // f32 ceil, floor, trunc, nearest
  [5, [0x91]], // f32.sqrt
  [2, range(0x92, 0x94)], // f32 add, sub, mul
  [3, [0x95]], // f32.div
  [18, [0x96, 0x97]], // f32 min, max
  [2, [0x98]], // f32.copysign
  [2, range(0x9b, 0x9e)], // f64 ceil, floor, trunc, nearest
  [8, [0x9f]], // f64.sqrt
  [2, range(0xa0, 0xa2)], // f64 add, sub, mul
  [5, [0xa3]], // f64.div
  [18, [0xa4, 0xa5]], // f64 min, max
  [3, [0xa6]], // f64.copysign
  [20, [...range(0xa8, 0xab), ...range(0xae, 0xb1)]], // float to integer
  [3, [0xb2, 0xb4, 0xb7, 0xb9]], // signed integer to float
  [16, [0xb3, 0xb5, 0xb8, 0xba]], // unsigned integer to float
]);

/** Weight of each opcode behind `0xfc`, without the run-time size of bulk operations. */
export const FC_WEIGHTS = opcodeTable([
  [20, range(0, 7)], // saturating float to integer
  [
    100,
    [FC.memoryInit, FC.memoryCopy, FC.memoryFill, FC.tableInit, FC.tableCopy, FC.tableSize, FC.tableFill],
  ],
  [300, [FC.dataDrop, FC.elemDrop, FC.tableGrow]],
]);

/** Weight of each opcode behind `0xfd`, memory access apart. */
export const SIMD_WEIGHTS = opcodeTable([
  [3, [SIMD.i8x16Shuffle, 98]], // shuffle, i8x16.popcnt
  [2, [38, 40, 48, 50, 58, 60]], // unsigned less-than and greater-than of i8x16, i16x8, i32x4
  [2, [...range(103, 106), 116, 117, 122, 148]], // float ceil, floor, trunc, nearest
  [3, [107, 108]], // i8x16 shl, shr_s
  [2, [109]], // i8x16.shr_u
  [2, [125]], // i16x8.extadd_pairwise_i8x16_u
  [3, [127]], // i32x4.extadd_pairwise_i16x8_u
  [2, range(139, 141)], // i16x8 shifts
  [2, [157, 159]], // i16x8.extmul_high
  [2, [...range(171, 173), 181, ...range(188, 191)]], // i32x4 shifts, mul, extmul
  [2, [203, 205]], // i64x2 shl, shr_u
  [3, [204]], // i64x2.shr_s
  [4, [213]], // i64x2.mul
  [2, [224, 225, 228, 229, 230]], // f32x4 abs, neg, add, sub, mul
  [5, [227]], // f32x4.sqrt
  [10, [231]], // f32x4.div
  [4, [232, 233]], // f32x4 min, max
  [2, [236, 237, 240, 241, 242]], // f64x2 abs, neg, add, sub, mul
  [14, [239]], // f64x2.sqrt
  [12, [243]], // f64x2.div
  [4, [244]], // f64x2.min
  [5, [245]], // f64x2.max
  [2, [248, 252]], // signed saturating truncation
  [4, [249, 251]], // unsigned truncation and conversion of i32x4
  [3, [253]], // i32x4.trunc_sat_f64x2_u_zero
]);

/** Every load and store, vectors included, weighs 1 with 32-bit and 2 with 64-bit addresses. */
export function memoryAccessWeight(memory64: boolean): number {
  return memory64 ? 2 : 1;
}
