/** Type codes of the Candid binary format. Negative: a type without arguments, or a constructor in the type table. */
export const NULL: i32 = -1;
export const BOOL: i32 = -2;
export const NAT: i32 = -3;
export const INT: i32 = -4;
export const NAT8: i32 = -5;
export const NAT16: i32 = -6;
export const NAT32: i32 = -7;
export const NAT64: i32 = -8;
export const INT8: i32 = -9;
export const INT16: i32 = -10;
export const INT32: i32 = -11;
export const INT64: i32 = -12;
export const FLOAT32: i32 = -13;
export const FLOAT64: i32 = -14;
export const TEXT: i32 = -15;
export const RESERVED: i32 = -16;
export const EMPTY: i32 = -17;
export const OPT: i32 = -18;
export const VEC: i32 = -19;
export const RECORD: i32 = -20;
export const VARIANT: i32 = -21;
export const FUNC: i32 = -22;
export const SERVICE: i32 = -23;
export const PRINCIPAL: i32 = -24;

/** `DIDL`, little-endian. */
export const MAGIC: u32 = 0x4c444944;

export function nameOfType(code: i32): string {
  switch (code) {
    case NULL: return 'null';
    case BOOL: return 'bool';
    case NAT: return 'nat';
    case INT: return 'int';
    case NAT8: return 'nat8';
    case NAT16: return 'nat16';
    case NAT32: return 'nat32';
    case NAT64: return 'nat64';
    case TEXT: return 'text';
    case RESERVED: return 'reserved';
    case EMPTY: return 'empty';
    case OPT: return 'opt';
    case VEC: return 'vec';
    case RECORD: return 'record';
    case VARIANT: return 'variant';
    case FUNC: return 'func';
    case SERVICE: return 'service';
    case PRINCIPAL: return 'principal';
    default: return 'type ' + code.toString();
  }
}
