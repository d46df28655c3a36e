import { ByteReader, InvalidModuleError } from './reader.ts';
import { OP, SIMD } from './opcodes.ts';
import { type CustomSection, SECTION, splitSections } from './sections.ts';
import { EXTERNREF, F32, F64, FUNCREF, FUNCTION_FORM, I32, I64, V128, valueTypeName } from './value-types.ts';

export interface FunctionType {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

interface ImportEntry {
  readonly module: string;
  readonly name: string;
  readonly typeIndex: number;
}

export interface TableType {
  readonly elementType: number;
  readonly table64: boolean;
  /** Entries at the start. */
  readonly min: number;
}

interface MemoryType {
  readonly memory64: boolean;
  /** In 64 KiB pages. */
  readonly min: number;
  readonly max: number | undefined;
}

interface GlobalType {
  readonly type: number;
  readonly mutable: boolean;
}

interface ExportEntry {
  readonly name: string;
  readonly kind: 'function' | 'table' | 'memory' | 'global';
  readonly index: number;
}

/** `offset` is present on active segments: where the bytes go when the module is first instantiated. */
export interface DataSegment {
  readonly offset: bigint | undefined;
  readonly bytes: Uint8Array;
}

/** A module in the pieces the rewriter works on. The `Uint8Array`s are views of the original bytes. */
export interface ParsedModule {
  readonly types: readonly FunctionType[];
  readonly imports: readonly ImportEntry[];
  /** Type index of each function the module defines. */
  readonly functions: readonly number[];
  readonly tables: readonly TableType[];
  readonly memory: MemoryType | undefined;
  readonly globals: readonly GlobalType[];
  readonly exports: readonly ExportEntry[];
  readonly start: number | undefined;
  /** One body a defined function: local declarations and instructions. */
  readonly bodies: readonly Uint8Array[];
  /** Size of all bodies. */
  readonly codeBytes: number;
  readonly data: readonly DataSegment[];
  readonly custom: readonly CustomSection[];
  /** Section bodies without their entry counts, for sections that are copied and added to. */
  readonly raw: { readonly types: Uint8Array; readonly globals: Uint8Array; readonly exports: Uint8Array };
  /** Whole section bodies that are copied as they are. */
  readonly unchanged: ReadonlyMap<number, Uint8Array>;
}

const EXPORT_KINDS = ['function', 'table', 'memory', 'global'] as const;
const TABLE_WITH_INITIALIZER = 0x40;

function refuse(reason: string): never {
  throw new InvalidModuleError(reason);
}

/** Reads a value type. Throws `InvalidModuleError` for the types of proposals the Internet Computer does not run. */
export function valueType(reader: ByteReader): number {
  const code = reader.byte();
  const accepted = [I32, I64, F32, F64, V128, FUNCREF, EXTERNREF].includes(code);
  return accepted ? code : refuse('Wasm module uses a value type that is not supported.');
}

function list<T>(reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  return Array.from({ length: reader.u32() }, () => read(reader));
}

function functionType(reader: ByteReader): FunctionType {
  if (reader.byte() !== FUNCTION_FORM) refuse('Wasm module uses a type that is not a function type.');
  return { params: list(reader, valueType), results: list(reader, valueType) };
}

function importEntry(reader: ByteReader): ImportEntry {
  const module = reader.name();
  const name = reader.name();
  if (reader.byte() !== 0) {
    refuse(`Wasm module has an invalid import section. Import '${name}' from '${module}' is not a function.`);
  }
  return { module, name, typeIndex: reader.u32() };
}

const LIMIT_HAS_MAX = 1;
const LIMIT_IS_64 = 4;

function limits(reader: ByteReader): { is64: boolean; min: number; max: number | undefined } {
  const flags = reader.byte();
  if (flags & ~(LIMIT_HAS_MAX | LIMIT_IS_64)) refuse('Wasm module uses a shared or specially paged memory.');
  const min = Number(reader.u64());
  return {
    is64: (flags & LIMIT_IS_64) !== 0,
    min,
    max: flags & LIMIT_HAS_MAX ? Number(reader.u64()) : undefined,
  };
}

function tableType(reader: ByteReader): TableType {
  if (reader.bytes[reader.position] === TABLE_WITH_INITIALIZER) {
    refuse('Wasm module uses a table with an initial value, which is not supported.');
  }
  const elementType = valueType(reader);
  const { is64, min } = limits(reader);
  return { elementType, table64: is64, min };
}

function memoryType(reader: ByteReader): MemoryType {
  const { is64, min, max } = limits(reader);
  return { memory64: is64, min, max };
}

/** Reads one constant instruction and its `end`; the value matters only for the offsets of data segments. */
function constant(reader: ByteReader, where: string): bigint | undefined {
  const what = 'initialization expression';
  const opcode = reader.byte();
  let value: bigint | undefined;
  if (opcode === OP.i32Const) value = BigInt.asUintN(32, reader.s64());
  else if (opcode === OP.i64Const) value = BigInt.asUintN(64, reader.s64());
  else if (opcode === OP.f32Const) reader.skip(4);
  else if (opcode === OP.f64Const) reader.skip(8);
  else if (opcode === OP.globalGet) reader.skipLeb();
  else if (opcode === OP.prefixSimd) {
    if (reader.u32() !== SIMD.v128Const)
      refuse(`Wasm module uses a complex ${what} in its ${where} section.`);
    reader.skip(16);
  } else refuse(`Wasm module uses an unsupported ${what} in its ${where} section.`);
  if (reader.byte() !== OP.end) {
    refuse(`Wasm module uses a complex ${what} in its ${where} section.`);
  }
  return value;
}

function globalType(reader: ByteReader): GlobalType {
  const type = valueType(reader);
  if (![I32, I64, F32, F64, V128].includes(type)) {
    refuse(`Wasm module has an invalid global section. Unsupported global type: ${valueTypeName(type)}`);
  }
  const mutable = reader.byte() === 1;
  constant(reader, 'global');
  return { type, mutable };
}

function exportEntry(reader: ByteReader): ExportEntry {
  const name = reader.name();
  const kind =
    EXPORT_KINDS[reader.byte()] ??
    refuse(`Wasm module has an invalid export section. '${name}' is not supported.`);
  return { name, kind, index: reader.u32() };
}

const DATA_PASSIVE = 1;
const DATA_WITH_MEMORY_INDEX = 2;

function dataSegment(reader: ByteReader): DataSegment {
  const flags = reader.u32();
  if (flags === DATA_PASSIVE) return { offset: undefined, bytes: reader.take(reader.u32()) };
  if (flags === DATA_WITH_MEMORY_INDEX) reader.skipLeb();
  const offset = constant(reader, 'data');
  if (offset === undefined)
    refuse('Wasm module has an invalid data section. Segment offsets must be constants.');
  return { offset, bytes: reader.take(reader.u32()) };
}

/** Takes a module that the engine has validated apart. Throws `InvalidModuleError` for features no canister may use. */
export function parseModule(bytes: Uint8Array): ParsedModule {
  const { known, custom } = splitSections(bytes);
  const reader = (id: number): ByteReader => new ByteReader(known.get(id) ?? new Uint8Array(1));
  const entriesOf = (id: number): Uint8Array => {
    const body = reader(id);
    body.skipLeb();
    return body.rest();
  };
  const memories = list(reader(SECTION.memory), memoryType);
  if (memories.length > 1) refuse('Wasm module defines more than one memory.');
  const start = known.get(SECTION.start);
  return {
    types: list(reader(SECTION.type), functionType),
    imports: list(reader(SECTION.import), importEntry),
    functions: list(reader(SECTION.function), (entry) => entry.u32()),
    tables: list(reader(SECTION.table), tableType),
    memory: memories[0],
    globals: list(reader(SECTION.global), globalType),
    exports: list(reader(SECTION.export), exportEntry),
    start: start === undefined ? undefined : new ByteReader(start).u32(),
    bodies: list(reader(SECTION.code), (entry) => entry.take(entry.u32())),
    codeBytes: known.get(SECTION.code)?.length ?? 0,
    data: list(reader(SECTION.data), dataSegment),
    custom,
    raw: {
      types: entriesOf(SECTION.type),
      globals: entriesOf(SECTION.global),
      exports: entriesOf(SECTION.export),
    },
    unchanged: known,
  };
}
