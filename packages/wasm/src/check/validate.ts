/**
 * Limits of the Internet Computer on what a canister's module may hold (dfinity/ic
 * `rs/embedders/src/wasm_utils/validation.rs`, `rs/config/src/embedders.rs` and, for tables,
 * `rs/embedders/src/wasmtime_embedder.rs`). Texts: `rs/types/wasm_types/src/errors.rs`.
 */
import { ByteReader, InvalidModuleError } from '../module/reader.ts';
import { MAX_PAGES_32, MAX_PAGES_64, WASM_PAGE } from '../module/layout.ts';
import { OP } from '../module/opcodes.ts';
import { type ParsedModule, valueType } from '../module/parse-module.ts';
import { SECTION, splitSections } from '../module/sections.ts';
import { validateExports } from './validate-exports.ts';

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
  else refuseElements();
  if (reader.byte() !== OP.end) refuseElements();
}

function refuseElements(): never {
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

/**
 * What an element section may hold. The rewriter copies the section as it is, so this only looks for the additions of
 * later proposals, which the engine knows and the Internet Computer does not. Takes the body of the section. Throws
 * `InvalidModuleError`.
 */
function validateElements(reader: ByteReader): void {
  for (let left = reader.u32(); left > 0; left--) checkSegment(reader);
}

const MAX_FUNCTIONS = 50_000;
const MAX_GLOBALS = 1_000;
const MAX_CODE_BYTES = 10 * 1024 * 1024;
/** `MAX_STORE_TABLES`: the replica takes a module with more, but cannot run it. */
const MAX_TABLES = 1;
/** `MAX_STORE_TABLE_ELEMENTS`, likewise. */
const MAX_TABLE_ENTRIES = 1_000_000;

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

function refuse(reason: string): never {
  throw new InvalidModuleError(reason);
}

/**
 * What is checked before the engine looks at the bytes, so that it never gets a module that is too large.
 * Throws `InvalidModuleError`.
 */
export function checkSize(bytes: Uint8Array): void {
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) {
    refuse('Failed to decode wasm module: unsupported canister module format');
  }
  const { known } = splitSections(bytes);
  const functions = known.get(SECTION.function);
  if (functions) checkCount('functions', new ByteReader(functions).u32(), MAX_FUNCTIONS);
  const code = known.get(SECTION.code);
  if (code === undefined) return;
  const reader = new ByteReader(code);
  reader.skipLeb();
  const size = code.length - reader.position;
  if (size > MAX_CODE_BYTES) {
    refuse(`Wasm module code section size of ${size} exceeds the maximum allowed size of ${MAX_CODE_BYTES}.`);
  }
}

function checkCount(what: string, defined: number, allowed: number): void {
  if (defined <= allowed) return;
  refuse(`Wasm module defined ${defined} ${what} which exceeds the maximum number allowed ${allowed}.`);
}

function checkTables(module: ParsedModule): void {
  checkCount('tables', module.tables.length, MAX_TABLES);
  for (const { min } of module.tables) checkCount('table entries', min, MAX_TABLE_ENTRIES);
}

function checkMemory(module: ParsedModule): void {
  const { memory } = module;
  const pages = memory?.min ?? 0;
  if (memory !== undefined) {
    const cap = memory.memory64 ? MAX_PAGES_64 : MAX_PAGES_32;
    const declared = Math.max(pages, memory.max ?? 0);
    if (declared > cap) {
      refuse(`Wasm module declares a memory of ${declared} pages, more than the ${cap} allowed.`);
    }
  }
  const size = BigInt(pages) * BigInt(WASM_PAGE);
  for (const { offset, bytes } of module.data) {
    if (offset !== undefined && offset + BigInt(bytes.length) > size) {
      refuse(`Wasm module has invalid data segment of ${bytes.length} bytes at ${offset}.`);
    }
  }
}

/** Throws `InvalidModuleError` for a module that breaks a limit, naming the limit or the offending item. */
export function validateModule(module: ParsedModule): void {
  validateExports(module);
  checkCount('globals', module.globals.length, MAX_GLOBALS);
  checkTables(module);
  checkMemory(module);
  const elements = module.unchanged.get(SECTION.element);
  if (elements !== undefined) validateElements(new ByteReader(elements));
}
