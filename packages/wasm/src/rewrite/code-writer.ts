import { EMPTY_BLOCK, FC, OP } from '../module/opcodes.ts';
import { type AddressType, I32, I64 } from '../module/value-types.ts';
import { ByteWriter } from '../module/writer.ts';

/** Writes instructions. `address*` methods pick the 32-bit or the 64-bit instruction by the module's address type. */
export class CodeWriter extends ByteWriter {
  readonly addressType: AddressType;

  constructor(addressType: AddressType, capacity?: number) {
    super(capacity);
    this.addressType = addressType;
  }

  op(...opcodes: readonly number[]): this {
    for (const opcode of opcodes) this.byte(opcode);
    return this;
  }

  localGet(index: number): this {
    return this.byte(OP.localGet).u32(index);
  }

  localSet(index: number): this {
    return this.byte(OP.localSet).u32(index);
  }

  localTee(index: number): this {
    return this.byte(OP.localTee).u32(index);
  }

  globalGet(index: number): this {
    return this.byte(OP.globalGet).u32(index);
  }

  globalSet(index: number): this {
    return this.byte(OP.globalSet).u32(index);
  }

  call(index: number): this {
    return this.byte(OP.call).u32(index);
  }

  i32Const(value: number): this {
    return this.byte(OP.i32Const).s64(BigInt(value | 0));
  }

  i64Const(value: number | bigint): this {
    return this.byte(OP.i64Const).s64(BigInt(value));
  }

  /** `if` without a result; close it with `end`. */
  if(): this {
    return this.op(OP.if, EMPTY_BLOCK);
  }

  end(): this {
    return this.byte(OP.end);
  }

  /** A load or store of one of the rewriter's own 32-bit memories. */
  memoryOp(opcode: number, memory: number, offset = 0): this {
    return this.op(opcode, 0x40, memory).u32(offset);
  }

  memorySize(memory: number): this {
    return this.op(OP.memorySize, memory);
  }

  memoryGrow(memory: number): this {
    return this.op(OP.memoryGrow, memory);
  }

  memoryCopy(target: number, source: number): this {
    return this.op(OP.prefixFc, FC.memoryCopy, target, source);
  }

  addressConst(value: bigint | number): this {
    return this.addressType === I64
      ? this.i64Const(value)
      : this.i32Const(Number(BigInt.asIntN(32, BigInt(value))));
  }

  addressAdd(): this {
    return this.byte(this.addressType === I64 ? OP.i64Add : OP.i32Add);
  }

  addressSub(): this {
    return this.byte(this.addressType === I64 ? OP.i64Sub : OP.i32Sub);
  }

  addressShiftLeft(): this {
    return this.byte(this.addressType === I64 ? OP.i64Shl : OP.i32Shl);
  }

  addressShiftRight(): this {
    return this.byte(this.addressType === I64 ? OP.i64ShrU : OP.i32ShrU);
  }

  addressEqz(): this {
    return this.byte(this.addressType === I64 ? OP.i64Eqz : OP.i32Eqz);
  }

  addressEq(): this {
    return this.byte(this.addressType === I64 ? OP.i64Eq : OP.i32Eq);
  }

  addressLessThan(): this {
    return this.byte(this.addressType === I64 ? OP.i64LtU : OP.i32LtU);
  }

  addressGreaterThan(): this {
    return this.byte(this.addressType === I64 ? OP.i64GtU : OP.i32GtU);
  }

  addressGreaterOrEqual(): this {
    return this.byte(this.addressType === I64 ? OP.i64GeU : OP.i32GeU);
  }

  /** An address on the stack becomes an i32. */
  addressToI32(): this {
    return this.addressType === I64 ? this.byte(OP.i32WrapI64) : this;
  }

  /** An unsigned i32 on the stack becomes an address. */
  i32ToAddress(): this {
    return this.addressType === I32 ? this : this.byte(OP.i64ExtendI32U);
  }
}
