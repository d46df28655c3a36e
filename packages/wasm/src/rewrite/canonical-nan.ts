/**
 * One NaN for all arithmetic: V8 leaves to the processor which NaN an operation yields, the replica does not
 * (`cranelift_nan_canonicalization` in dfinity/ic `rs/embedders/src/wasm_utils/validation.rs`). A canister can see the
 * difference, as in the sign that is printed for 0/0. It takes about 0.3 ns an operation: nothing where one operation
 * waits for the other, up to 2.6 times the time where they do not.
 */
import type { CodeWriter } from './code-writer.ts';
import { OP } from '../module/opcodes.ts';
import type { TemporaryLocals } from './store-guard.ts';
import { F32, F64, V128 } from '../module/value-types.ts';

type FloatShape = 'f32' | 'f64' | 'f32x4' | 'f64x2';

/** The quiet NaN without sign and payload, as stored in memory. */
const NAN_32 = [0, 0, 0xc0, 0x7f];
const NAN_64 = [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];

const F32_EQ = 0x5b;
const F64_EQ = 0x61;
const F32X4_EQ = 0x41;
const F64X2_EQ = 0x47;
const V128_BITSELECT = 0x52;
const V128_CONST = 12;

function shapes(
  rows: readonly (readonly [FloatShape, readonly number[]])[],
): ReadonlyMap<number, FloatShape> {
  return new Map(
    rows.flatMap(([shape, opcodes]) => opcodes.map((opcode): [number, FloatShape] => [opcode, shape])),
  );
}

/**
 * The operations whose results are made canonical: `is_fp_arith` of wasmtime's
 * `cranelift/codegen/src/nan_canonicalization.rs`. Those on the sign alone (abs, neg, copysign) are not among them.
 */
const SCALAR = shapes([
  ['f32', [0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0xb6]],
  ['f64', [0x9b, 0x9c, 0x9d, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xbb]],
]);
const VECTOR = shapes([
  ['f32x4', [103, 104, 105, 106, 227, 228, 229, 230, 231, 232, 233, 94]],
  ['f64x2', [116, 117, 122, 148, 239, 240, 241, 242, 243, 244, 245, 95]],
]);

/** Instructions for which every NaN on top of the stack is the same: arithmetic, comparisons, truncations and drop. */
function treatsNansAlike(opcode: number): boolean {
  if (opcode >= 0x5b && opcode <= 0x66) return true;
  if ((opcode >= 0xa8 && opcode <= 0xab) || (opcode >= 0xae && opcode <= 0xb1)) return true;
  return opcode === OP.drop || SCALAR.has(opcode);
}

/**
 * The shape of the result an opcode without prefix must have made canonical; nothing for most opcodes, nor where the
 * opcode that follows makes no difference between NaNs.
 */
export function floatResult(opcode: number, next: number): FloatShape | undefined {
  if (opcode < 0x8d || opcode > 0xbb) return undefined;
  const shape = SCALAR.get(opcode);
  return shape === undefined || treatsNansAlike(next) ? undefined : shape;
}

/** The same for the opcodes behind `0xfd`. */
export function vectorFloatResult(opcode: number): FloatShape | undefined {
  return VECTOR.get(opcode);
}

/** Replaces a NaN on top of the stack by the canonical one. */
export function makeCanonical(code: CodeWriter, locals: TemporaryLocals, shape: FloatShape): void {
  const type = { f32: F32, f64: F64, f32x4: V128, f64x2: V128 }[shape];
  const local = locals.index('nan', type);
  code.localTee(local);
  if (shape === 'f32') code.op(OP.f32Const, ...NAN_32);
  else if (shape === 'f64') code.op(OP.f64Const, ...NAN_64);
  else if (shape === 'f32x4') code.op(OP.prefixSimd, V128_CONST, ...NAN_32, ...NAN_32, ...NAN_32, ...NAN_32);
  else code.op(OP.prefixSimd, V128_CONST, ...NAN_64, ...NAN_64);
  // Only a NaN differs from itself.
  code.localGet(local).localGet(local);
  if (shape === 'f32') code.op(F32_EQ, OP.select);
  else if (shape === 'f64') code.op(F64_EQ, OP.select);
  else code.op(OP.prefixSimd, shape === 'f32x4' ? F32X4_EQ : F64X2_EQ, OP.prefixSimd, V128_BITSELECT);
}
