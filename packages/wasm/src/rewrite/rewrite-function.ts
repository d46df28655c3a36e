import { floatResult, makeCanonical, vectorFloatResult } from './canonical-nan.ts';
import { CodeWriter } from './code-writer.ts';
import { COMPLEXITIES, FC_COMPLEXITIES, FunctionComplexity } from '../check/function-complexity.ts';
import { EMPTY_BLOCK, FC, IMMEDIATES, OP, SIMD } from '../module/opcodes.ts';
import { type FunctionType, valueType } from '../module/parse-module.ts';
import { ByteReader } from '../module/reader.ts';
import type { RewriteContext } from './rewrite-context.ts';
import { guardBulk, guardStore, storeShape, TemporaryLocals, vectorStoreShape } from './store-guard.ts';
import { I32, I64 } from '../module/value-types.ts';
import { FC_WEIGHTS, memoryAccessWeight, SIMD_WEIGHTS, WEIGHTS } from './weights.ts';
import type { ByteWriter } from '../module/writer.ts';

/** Bit of a memory operand's alignment that says a memory index follows. */
const HAS_MEMORY_INDEX = 0x40;
/** Bulk instructions that name two things: a segment and its target, or a target and a source. */
const TWO_OPERANDS: readonly number[] = [FC.memoryInit, FC.memoryCopy];

/** Canisters cannot change tables (`wasm_function_complexity` of the replica). */
const TABLE_CHANGES: ReadonlyMap<number, string> = new Map([
  [FC.tableInit, 'table.init'],
  [FC.tableCopy, 'table.copy'],
  [FC.tableGrow, 'table.grow'],
  [FC.tableFill, 'table.fill'],
]);

/**
 * Rewrites one function body in a single pass. The instructions of a basic block wait in `#block` until its weight
 * is known; then the charge goes out first and the block behind it, as the replica does.
 */
class FunctionRewriter {
  readonly #context: RewriteContext;
  readonly #reader: ByteReader;
  readonly #locals: TemporaryLocals;
  readonly #done: CodeWriter;
  readonly #block: CodeWriter;
  readonly #accessWeight: number;
  readonly #complexity: FunctionComplexity;
  /** Even an empty function costs something. */
  #weight = 1;
  /** Only where control can come back (function entry, loop head) is the counter tested. */
  #reentrant = true;

  constructor(
    context: RewriteContext,
    reader: ByteReader,
    locals: TemporaryLocals,
    complexity: FunctionComplexity,
  ) {
    this.#context = context;
    this.#complexity = complexity;
    this.#reader = reader;
    this.#locals = locals;
    this.#accessWeight = memoryAccessWeight(context.memory64);
    this.#done = new CodeWriter(context.address, 2 * reader.end + 64);
    this.#block = new CodeWriter(context.address);
  }

  run(): CodeWriter {
    while (!this.#reader.atEnd) this.#instruction();
    return this.#done.raw(this.#block.view);
  }

  #copyFrom(start: number): void {
    this.#block.copy(this.#reader.bytes, start, this.#reader.position);
  }

  #endBlock(nextIsReentrant: boolean): void {
    const { counter } = this.#context.globals;
    if (this.#weight > 0 || this.#reentrant) {
      this.#done.globalGet(counter).i64Const(this.#weight).op(OP.i64Sub).globalSet(counter);
    }
    if (this.#reentrant) {
      this.#done.globalGet(counter).i64Const(0).op(OP.i64LtS).if().op(OP.unreachable).end();
    }
    this.#done.raw(this.#block.view);
    this.#block.clear();
    this.#weight = 0;
    this.#reentrant = nextIsReentrant;
  }

  #instruction(): void {
    const start = this.#reader.position;
    const opcode = this.#reader.byte();
    const immediate = IMMEDIATES[opcode];
    if (opcode < OP.prefixFc) this.#complexity.add(COMPLEXITIES[opcode] ?? 1);
    if (immediate === 'memory') return this.#memoryAccess(start, opcode);
    if (immediate === 'prefix-fc') return this.#prefixFc(start);
    if (immediate === 'prefix-simd') return this.#simd(start);
    this.#weight += WEIGHTS[opcode] ?? 1;
    if (opcode === OP.memorySize || opcode === OP.memoryGrow) return this.#memorySize(opcode);
    if (opcode === OP.tableSet) this.#complexity.refuse('table.set');
    this.#skipImmediate(opcode);
    this.#copyFrom(start);
    const result = floatResult(opcode, this.#reader.bytes[this.#reader.position] ?? OP.end);
    if (result !== undefined) makeCanonical(this.#block, this.#locals, result);
    else this.#endBlockAfter(opcode);
  }

  #skipImmediate(opcode: number): void {
    const reader = this.#reader;
    switch (IMMEDIATES[opcode]) {
      case 'none':
        return;
      case 'leb':
        return reader.skipLeb();
      case 'block-type':
        return this.#skipBlockType();
      case 'two-lebs':
        reader.skipLeb();
        return reader.skipLeb();
      case 'labels':
        for (let left = reader.u32() + 1; left > 0; left--) reader.skipLeb();
        return;
      case 'types':
        for (let left = reader.u32(); left > 0; left--) valueType(reader);
        return;
      case 'heap-type':
        valueType(reader);
        return;
      case 'four-bytes':
        return reader.skip(4);
      case 'eight-bytes':
        return reader.skip(8);
      default:
        this.#complexity.refuse(`0x${opcode.toString(16).padStart(2, '0')}`);
    }
  }

  #skipBlockType(): void {
    const first = this.#reader.bytes[this.#reader.position] ?? 0;
    const isTypeIndex = first < 0x40 || first >= 0x80;
    if (isTypeIndex || first === EMPTY_BLOCK) this.#reader.skipLeb();
    else valueType(this.#reader);
  }

  #endBlockAfter(opcode: number): void {
    switch (opcode) {
      case OP.loop:
        return this.#endBlock(true);
      case OP.if:
      case OP.else:
      case OP.end:
      case OP.br:
      case OP.brIf:
      case OP.brTable:
      case OP.return:
      case OP.unreachable:
      case OP.returnCall:
      case OP.returnCallIndirect:
        return this.#endBlock(false);
      default:
    }
  }

  #memorySize(opcode: number): void {
    this.#reader.skipLeb();
    if (opcode === OP.memorySize) this.#block.globalGet(this.#context.globals.size);
    else this.#block.call(this.#context.functions.grow);
  }

  /** Reads alignment and memory index; leaves the reader at the offset. */
  #skipAlignment(): void {
    if (this.#reader.u32() & HAS_MEMORY_INDEX) this.#reader.skipLeb();
  }

  #memoryAccess(start: number, opcode: number): void {
    this.#weight += this.#accessWeight;
    this.#skipAlignment();
    const shape = storeShape(opcode);
    if (shape === undefined) this.#reader.skipLeb();
    else guardStore(this.#block, this.#context, this.#locals, shape, this.#reader.u64());
    this.#copyFrom(start);
  }

  #simd(start: number): void {
    const reader = this.#reader;
    const opcode = reader.u32();
    if (opcode > SIMD.last) this.#complexity.refuse('relaxed SIMD');
    this.#complexity.add(1);
    const lane = opcode >= SIMD.firstMemoryLane && opcode <= SIMD.lastMemoryLane;
    const whole =
      opcode <= SIMD.v128Store || opcode === SIMD.v128Load32Zero || opcode === SIMD.v128Load64Zero;
    this.#weight += lane || whole ? this.#accessWeight : (SIMD_WEIGHTS[opcode] ?? 1);
    if (lane || whole) {
      this.#skipAlignment();
      const offset = reader.u64();
      const shape = vectorStoreShape(opcode);
      if (shape !== undefined) guardStore(this.#block, this.#context, this.#locals, shape, offset);
      if (lane) reader.skip(1);
    } else if (opcode === SIMD.v128Const || opcode === SIMD.i8x16Shuffle) {
      reader.skip(16);
    } else if (opcode >= SIMD.firstLane && opcode <= SIMD.lastLane) {
      reader.skip(1);
    }
    this.#copyFrom(start);
    const result = vectorFloatResult(opcode);
    if (result !== undefined) makeCanonical(this.#block, this.#locals, result);
  }

  #prefixFc(start: number): void {
    const reader = this.#reader;
    const opcode = reader.u32();
    this.#weight += FC_WEIGHTS[opcode] ?? 1;
    if (opcode > FC.tableFill) this.#complexity.refuse(`0xfc ${opcode}`);
    const tableChange = TABLE_CHANGES.get(opcode);
    if (tableChange !== undefined) this.#complexity.refuse(tableChange);
    this.#complexity.add(FC_COMPLEXITIES[opcode] ?? 1);
    if (opcode < FC.memoryInit) return this.#copyFrom(start);
    reader.skipLeb();
    if (TWO_OPERANDS.includes(opcode)) reader.skipLeb();
    switch (opcode) {
      case FC.memoryInit:
      case FC.memoryCopy:
      case FC.memoryFill:
        this.#chargeSize(opcode === FC.memoryInit ? I32 : this.#context.address);
        guardBulk(this.#block, this.#context, this.#locals, opcode);
        break;
      case FC.elemDrop:
      case FC.dataDrop:
        this.#taint();
        break;
      default:
    }
    this.#copyFrom(start);
  }

  /** Charges the size operand on top of the stack and leaves it there. */
  #chargeSize(type: typeof I32 | typeof I64): void {
    if (type === I32) this.#block.op(OP.i64ExtendI32U);
    this.#block.call(this.#context.functions.chargeSize);
    if (type === I32) this.#block.op(OP.i32WrapI64);
  }

  #taint(): void {
    this.#block.i32Const(1).globalSet(this.#context.globals.tainted);
  }
}

/**
 * Writes the instrumented form of one function body, its length in front. `index` is its position in the code
 * section. Throws `InvalidModuleError` for a function that is too large or uses what no canister may use.
 */
export function rewriteFunction(
  context: RewriteContext,
  type: FunctionType,
  body: Uint8Array,
  index: number,
  out: ByteWriter,
): void {
  const reader = new ByteReader(body);
  const groups = Array.from({ length: reader.u32() }, () => ({
    count: reader.u32(),
    type: valueType(reader),
  }));
  const own = groups.reduce((sum, { count }) => sum + count, type.params.length);
  const locals = new TemporaryLocals(own);
  const instructions = new FunctionRewriter(context, reader, locals, new FunctionComplexity(index)).run();
  const declarations = new CodeWriter(context.address);
  declarations.u32(groups.length + locals.types.length);
  for (const group of groups) declarations.u32(group.count).byte(group.type);
  for (const added of locals.types) declarations.u32(1).byte(added);
  out
    .u32(declarations.length + instructions.length)
    .raw(declarations.view)
    .raw(instructions.view);
}
