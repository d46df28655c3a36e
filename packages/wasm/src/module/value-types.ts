/** Binary codes of the value types this network accepts. */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;
export const V128 = 0x7b;
export const FUNCREF = 0x70;
export const EXTERNREF = 0x6f;
/** What a function type starts with. */
export const FUNCTION_FORM = 0x60;

export type AddressType = typeof I32 | typeof I64;
export type NumericType = 'i32' | 'i64' | 'f32' | 'f64';

const NUMERIC_NAMES: ReadonlyMap<number, NumericType> = new Map([
  [I32, 'i32'],
  [I64, 'i64'],
  [F32, 'f32'],
  [F64, 'f64'],
]);

export function numericTypeName(code: number): NumericType | undefined {
  return NUMERIC_NAMES.get(code);
}

/** The name the text format has for a value type. */
export function valueTypeName(code: number): string {
  if (code === V128) return 'v128';
  if (code === FUNCREF) return 'funcref';
  return numericTypeName(code) ?? (code === EXTERNREF ? 'externref' : `0x${code.toString(16)}`);
}
