/** Opcodes the rewriter looks at or emits. Names follow the WebAssembly text format. */
export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  drop: 0x1a,
  select: 0x1b,
  selectTyped: 0x1c,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  tableGet: 0x25,
  tableSet: 0x26,
  i32Load8U: 0x2d,
  i32Load: 0x28,
  firstLoad: 0x28,
  lastStore: 0x3e,
  i32Store: 0x36,
  i32Store8: 0x3a,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32Eqz: 0x45,
  i32Eq: 0x46,
  i32LtU: 0x49,
  i32GtU: 0x4b,
  i32LeU: 0x4d,
  i32GeU: 0x4f,
  i64Eqz: 0x50,
  i64Eq: 0x51,
  i64LtS: 0x53,
  i64LtU: 0x54,
  i64GtS: 0x55,
  i64GtU: 0x56,
  i64GeU: 0x5a,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32And: 0x71,
  i32Or: 0x72,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Shl: 0x86,
  i64ShrU: 0x88,
  i32WrapI64: 0xa7,
  i64ExtendI32U: 0xad,
  i32ReinterpretF32: 0xbc,
  i64ReinterpretF64: 0xbd,
  f32ReinterpretI32: 0xbe,
  f64ReinterpretI64: 0xbf,
  lastNumeric: 0xc4,
  refNull: 0xd0,
  refIsNull: 0xd1,
  refFunc: 0xd2,
  prefixFc: 0xfc,
  prefixSimd: 0xfd,
} as const;

/** Second byte after `0xfc`. */
export const FC = {
  memoryInit: 8,
  dataDrop: 9,
  memoryCopy: 10,
  memoryFill: 11,
  tableInit: 12,
  elemDrop: 13,
  tableCopy: 14,
  tableGrow: 15,
  tableSize: 16,
  tableFill: 17,
} as const;

/** Second number after `0xfd`. */
export const SIMD = {
  v128Load64Splat: 10,
  v128Store: 11,
  v128Const: 12,
  i8x16Shuffle: 13,
  firstLane: 21,
  lastLane: 34,
  firstMemoryLane: 84,
  firstStoreLane: 88,
  lastMemoryLane: 91,
  v128Load32Zero: 92,
  v128Load64Zero: 93,
  last: 255,
} as const;

/** The block type of a block without parameters and results. */
export const EMPTY_BLOCK = 0x40;

/** What follows an opcode in the binary. `refused` marks opcodes of proposals the Internet Computer does not run. */
type Immediate =
  | 'none'
  | 'leb'
  | 'block-type'
  | 'two-lebs'
  | 'labels'
  | 'types'
  | 'heap-type'
  | 'memory'
  | 'four-bytes'
  | 'eight-bytes'
  | 'prefix-fc'
  | 'prefix-simd'
  | 'refused';

function immediateOf(opcode: number): Immediate {
  if (opcode >= OP.firstLoad && opcode <= OP.lastStore) return 'memory';
  if (opcode >= OP.i32Eqz && opcode <= OP.lastNumeric) return 'none';
  switch (opcode) {
    case OP.unreachable:
    case 0x01: // nop
    case OP.else:
    case OP.end:
    case OP.return:
    case OP.drop:
    case OP.select:
    case OP.refIsNull:
      return 'none';
    case OP.block:
    case OP.loop:
    case OP.if:
      return 'block-type';
    case OP.br:
    case OP.brIf:
    case OP.call:
    case OP.returnCall:
    case OP.localGet:
    case OP.localSet:
    case OP.localTee:
    case OP.globalGet:
    case OP.globalSet:
    case OP.tableGet:
    case OP.tableSet:
    case OP.memorySize:
    case OP.memoryGrow:
    case OP.i32Const:
    case OP.i64Const:
    case OP.refFunc:
      return 'leb';
    case OP.refNull:
      return 'heap-type';
    case OP.callIndirect:
    case OP.returnCallIndirect:
      return 'two-lebs';
    case OP.brTable:
      return 'labels';
    case OP.selectTyped:
      return 'types';
    case OP.f32Const:
      return 'four-bytes';
    case OP.f64Const:
      return 'eight-bytes';
    case OP.prefixFc:
      return 'prefix-fc';
    case OP.prefixSimd:
      return 'prefix-simd';
    default:
      return 'refused';
  }
}

/** Immediate of each one-byte opcode. */
export const IMMEDIATES: readonly Immediate[] = Array.from({ length: 256 }, (_, opcode) =>
  immediateOf(opcode),
);
