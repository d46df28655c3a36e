import type { CodeWriter } from './code-writer.ts';
import { MARKS_MEMORY, PAGE_BITS } from '../module/layout.ts';
import { FC, OP, SIMD } from '../module/opcodes.ts';
import type { RewriteContext } from './rewrite-context.ts';
import { F32, F64, I32, I64, V128 } from '../module/value-types.ts';

interface StoreShape {
  readonly valueType: number;
  /** Bytes written. */
  readonly size: number;
}

const STORES: ReadonlyMap<number, StoreShape> = new Map([
  [0x36, { valueType: I32, size: 4 }],
  [0x37, { valueType: I64, size: 8 }],
  [0x38, { valueType: F32, size: 4 }],
  [0x39, { valueType: F64, size: 8 }],
  [0x3a, { valueType: I32, size: 1 }],
  [0x3b, { valueType: I32, size: 2 }],
  [0x3c, { valueType: I64, size: 1 }],
  [0x3d, { valueType: I64, size: 2 }],
  [0x3e, { valueType: I64, size: 4 }],
]);

/** The shape of a one-byte store opcode, or nothing for a load. */
export function storeShape(opcode: number): StoreShape | undefined {
  return STORES.get(opcode);
}

/** The shape of a vector store, or nothing for any other vector instruction. */
export function vectorStoreShape(opcode: number): StoreShape | undefined {
  if (opcode === SIMD.v128Store) return { valueType: V128, size: 16 };
  if (opcode < SIMD.firstStoreLane || opcode > SIMD.lastMemoryLane) return undefined;
  return { valueType: V128, size: 2 ** (opcode - SIMD.firstStoreLane) };
}

/** Locals added to a function for operands that must be put aside, one for each purpose and type. */
export class TemporaryLocals {
  readonly #first: number;
  readonly #indices = new Map<string, number>();
  readonly types: number[] = [];

  /** `first` is the number of the function's own parameters and locals. */
  constructor(first: number) {
    this.#first = first;
  }

  index(purpose: 'value' | 'address' | 'source' | 'length' | 'nan', type: number): number {
    const key = `${purpose} ${type}`;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const index = this.#first + this.types.push(type) - 1;
    this.#indices.set(key, index);
    return index;
  }
}

/** With the address in a local: leaves the mark of the page `distance` bytes behind it on the stack. */
function loadMark(code: CodeWriter, address: number, distance: bigint): void {
  code.localGet(address);
  if (distance > 0n) code.addressConst(distance).addressAdd();
  code.addressConst(PAGE_BITS).addressShiftRight().addressToI32().memoryOp(OP.i32Load8U, MARKS_MEMORY);
}

/**
 * Before a store, with address and value on the stack: makes sure that every page it writes is in the undo log.
 * A store may straddle two pages whatever alignment it declares, so both ends are looked at.
 */
export function guardStore(
  code: CodeWriter,
  context: RewriteContext,
  locals: TemporaryLocals,
  shape: StoreShape,
  offset: bigint,
): void {
  const value = locals.index('value', shape.valueType);
  const address = locals.index('address', context.address);
  code.localSet(value).localSet(address);
  loadMark(code, address, offset);
  if (shape.size > 1) {
    loadMark(code, address, offset + BigInt(shape.size - 1));
    code.op(OP.i32And);
  }
  code.op(OP.i32Eqz).if().localGet(address);
  if (offset > 0n) code.addressConst(offset).addressAdd();
  code.addressConst(shape.size).call(context.functions.touchRange).end();
  code.localGet(address).localGet(value);
}

/** Before memory.init, memory.copy or memory.fill, with its three operands on the stack. */
export function guardBulk(
  code: CodeWriter,
  context: RewriteContext,
  locals: TemporaryLocals,
  opcode: number,
): void {
  const { address } = context;
  const lengthType = opcode === FC.memoryInit ? I32 : address;
  const sourceType = opcode === FC.memoryCopy ? address : I32;
  const length = locals.index('length', lengthType);
  const source = locals.index('source', sourceType);
  const target = locals.index('address', address);
  code.localSet(length).localSet(source).localTee(target).localGet(length);
  if (opcode === FC.memoryInit) code.i32ToAddress();
  code.call(context.functions.touchRange);
  code.localGet(target).localGet(source).localGet(length);
}
