/**
 * Bodies of the functions added to every module. In short, as text format:
 *
 *     touch(page)             first write to a page (within the memory): keep its content in the undo memory, list it, mark it
 *     touchRange(start, len)  touch every page of the range that is not marked yet; trap if it leaves the memory
 *     grow(pages)             memory.grow on the logical size, so that a rolled back growth shrinks again
 *     chargeSize(n)           take n from the instruction counter, trap below zero, return n
 *     save(), restore()       copy the bits of all mutable globals to and from their shadows
 *     callback(index, env)    call a table entry as a callback
 */
import { CodeWriter } from './code-writer.ts';
import {
  COUNT_OFFSET,
  HEAP_MEMORY,
  LIST_OFFSET,
  MARKS_MEMORY,
  MOST_OFFSET,
  PAGE,
  PAGE_BITS,
  UNDO_MEMORY,
  UNDO_STEP_PAGES,
  WASM_PAGE_BITS,
} from '../module/layout.ts';
import { EMPTY_BLOCK, OP } from '../module/opcodes.ts';
import { callbackType, type RewriteContext } from './rewrite-context.ts';
import { I32, I64 } from '../module/value-types.ts';
import type { ByteWriter } from '../module/writer.ts';

function body(
  context: RewriteContext,
  locals: readonly number[],
  write: (code: CodeWriter) => void,
): CodeWriter {
  const code = new CodeWriter(context.address);
  code.u32(locals.length);
  for (const type of locals) code.u32(1).byte(type);
  write(code);
  return code.end();
}

/** Traps the way an access beyond the memory does: by one. */
function trapOutOfBounds(code: CodeWriter): void {
  code.i32Const(-1).memoryOp(OP.i32Load8U, MARKS_MEMORY).op(OP.drop);
}

function touch(context: RewriteContext): CodeWriter {
  const page = 0;
  const count = 1;
  return body(context, [I32], (code) => {
    code.i32Const(0).memoryOp(OP.i32Load, MARKS_MEMORY, COUNT_OFFSET).localTee(count);
    // More pages than the message may change end it as if its instructions were used up.
    code.i32Const(0).memoryOp(OP.i32Load, MARKS_MEMORY, MOST_OFFSET).op(OP.i32GeU).if();
    code.i64Const(-1).globalSet(context.globals.counter).op(OP.unreachable).end();
    // Room for one more page in the undo memory, which has 64-bit addresses: it may hold 6 GiB.
    code.localGet(count).op(OP.i64ExtendI32U).i64Const(PAGE_BITS).op(OP.i64Shl);
    code.memorySize(UNDO_MEMORY).i64Const(WASM_PAGE_BITS).op(OP.i64Shl).op(OP.i64GeU).if();
    code.i64Const(UNDO_STEP_PAGES).memoryGrow(UNDO_MEMORY).i64Const(-1).op(OP.i64Eq).if();
    code.op(OP.unreachable).end().end();
    code.localGet(count).op(OP.i64ExtendI32U).i64Const(PAGE_BITS).op(OP.i64Shl);
    code.localGet(page).i32ToAddress().addressConst(PAGE_BITS).addressShiftLeft();
    code.addressConst(PAGE).memoryCopy(UNDO_MEMORY, HEAP_MEMORY);
    code.localGet(count).i32Const(2).op(OP.i32Shl).localGet(page);
    code.memoryOp(OP.i32Store, MARKS_MEMORY, LIST_OFFSET);
    code.i32Const(0).localGet(count).i32Const(1).op(OP.i32Add);
    code.memoryOp(OP.i32Store, MARKS_MEMORY, COUNT_OFFSET);
    code.localGet(page).i32Const(1).memoryOp(OP.i32Store8, MARKS_MEMORY);
  });
}

function touchRange(context: RewriteContext): CodeWriter {
  const start = 0;
  const lengthThenLast = 1;
  const page = 2;
  const lastPage = 3;
  return body(context, [I32, I32], (code) => {
    code.localGet(lengthThenLast).addressEqz().if().op(OP.return).end();
    code.localGet(start).localGet(lengthThenLast).addressAdd().addressConst(1).addressSub();
    code.localTee(lengthThenLast).localGet(start).addressLessThan();
    code.localGet(lengthThenLast).addressConst(PAGE_BITS).addressShiftRight();
    code
      .globalGet(context.globals.size)
      .addressConst(WASM_PAGE_BITS - PAGE_BITS)
      .addressShiftLeft();
    code.addressGreaterOrEqual().op(OP.i32Or).if();
    trapOutOfBounds(code);
    code.end();
    code.localGet(start).addressConst(PAGE_BITS).addressShiftRight().addressToI32().localSet(page);
    code
      .localGet(lengthThenLast)
      .addressConst(PAGE_BITS)
      .addressShiftRight()
      .addressToI32()
      .localSet(lastPage);
    code.op(OP.loop, EMPTY_BLOCK);
    code.localGet(page).memoryOp(OP.i32Load8U, MARKS_MEMORY).op(OP.i32Eqz).if();
    code.localGet(page).call(context.functions.touch).end();
    code.localGet(page).i32Const(1).op(OP.i32Add).localTee(page);
    code.localGet(lastPage).op(OP.i32LeU, OP.brIf, 0).end();
  });
}

function grow(context: RewriteContext): CodeWriter {
  const delta = 0;
  const before = 1;
  const after = 2;
  const refused = (code: CodeWriter): CodeWriter => code.addressConst(-1).op(OP.return).end();
  return body(context, [context.address, context.address], (code) => {
    code.globalGet(context.globals.size).localTee(before).localGet(delta).addressAdd().localTee(after);
    code.localGet(before).addressLessThan().if();
    refused(code);
    code.localGet(after).globalGet(context.globals.limit).addressGreaterThan();
    // Growing by nothing asks for the size: it must answer even above a limit that was lowered later.
    code.localGet(delta).addressEqz().op(OP.i32Eqz, OP.i32And).if();
    refused(code);
    code.localGet(after).memorySize(HEAP_MEMORY).addressGreaterThan().if();
    code.localGet(after).memorySize(HEAP_MEMORY).addressSub().memoryGrow(HEAP_MEMORY);
    code.addressConst(-1).addressEq().if();
    refused(code).end();
    code.localGet(after).globalSet(context.globals.size).localGet(before);
  });
}

function chargeSize(context: RewriteContext): CodeWriter {
  const amount = 0;
  const left = 1;
  const { counter } = context.globals;
  return body(context, [I64], (code) => {
    code.globalGet(counter).localGet(amount).op(OP.i64Sub).localTee(left);
    // An amount of 2^63 and more counts as negative and would raise the counter.
    code.globalGet(counter).op(OP.i64GtS).if();
    code
      .i64Const(-(2n ** 63n))
      .localSet(left)
      .end();
    code.localGet(left).globalSet(counter).localGet(left).i64Const(0).op(OP.i64LtS).if();
    code.op(OP.unreachable).end().localGet(amount);
  });
}

function save(context: RewriteContext): CodeWriter {
  return body(context, [], (code) => {
    for (const { index, shadowIndex, toBits } of context.shadows) {
      code
        .globalGet(index)
        .op(...toBits)
        .globalSet(shadowIndex);
    }
  });
}

function restore(context: RewriteContext): CodeWriter {
  return body(context, [], (code) => {
    for (const { index, shadowIndex, fromBits, isLane } of context.shadows) {
      if (isLane) code.globalGet(index);
      code
        .globalGet(shadowIndex)
        .op(...fromBits)
        .globalSet(index);
    }
  });
}

function callback(context: RewriteContext): CodeWriter {
  const index = 0;
  const environment = 1;
  return body(context, [], (code) => {
    code.localGet(environment).localGet(index).op(OP.callIndirect).u32(callbackType(context)).u32(0);
  });
}

/** Writes the bodies of the appended functions in the order of their indices. */
export function writeRuntimeFunctions(context: RewriteContext, out: ByteWriter): void {
  const builders = [touch, touchRange, grow, chargeSize, save, restore];
  if (context.callbackTable !== undefined) builders.push(callback);
  for (const build of builders) {
    const code = build(context);
    out.u32(code.length).raw(code.view);
  }
}
