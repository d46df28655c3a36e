/**
 * What an element section may hold. The rewriter copies the section as it is, so this only looks for the additions of
 * later proposals, which the engine knows and the Internet Computer does not.
 */
import { InvalidModuleError } from '../module/invalid-module-error.ts';
import { OP } from '../module/opcodes.ts';
import { valueType } from '../module/parse-module.ts';
import type { ByteReader } from '../module/reader.ts';

/** Bits of the number a segment starts with (WebAssembly 2.0, "Element Section"). */
const PASSIVE_OR_DECLARATIVE = 1;
const EXPLICIT = 2;
const EXPRESSIONS = 4;

const CONSTANTS: readonly number[] = [OP.i32Const, OP.i64Const, OP.globalGet, OP.refFunc];

/** One instruction and its `end`. */
function skipConstant(reader: ByteReader): void {
  const opcode = reader.byte();
  if (opcode === OP.refNull) valueType(reader);
  else if (CONSTANTS.includes(opcode)) reader.skipLeb();
  else refuse();
  if (reader.byte() !== OP.end) refuse();
}

function refuse(): never {
  throw new InvalidModuleError(
    'Wasm module has an invalid element section. Complex initialization expressions are not supported.',
  );
}

function checkSegment(reader: ByteReader): void {
  const flags = reader.u32();
  const active = (flags & PASSIVE_OR_DECLARATIVE) === 0;
  const explicit = (flags & EXPLICIT) !== 0;
  const expressions = (flags & EXPRESSIONS) !== 0;
  if (active && explicit) reader.skipLeb(); // table index
  if (active) skipConstant(reader);
  if (!active || explicit) {
    if (expressions) valueType(reader);
    else reader.skip(1); // element kind: functions
  }
  for (let left = reader.u32(); left > 0; left--) {
    if (expressions) skipConstant(reader);
    else reader.skipLeb();
  }
}

/** Takes the body of the section. Throws `InvalidModuleError`. */
export function validateElements(reader: ByteReader): void {
  for (let left = reader.u32(); left > 0; left--) checkSegment(reader);
}
