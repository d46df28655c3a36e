import {
  HOST_EXPORTS,
  HOST_IMPORTS,
  HOST_MODULE,
  MARKS_MEMORY_PAGES,
  MAX_PAGES_32,
  MAX_PAGES_64,
  UNDO_MAX_PAGES,
  UNDO_STEP_PAGES,
} from '../module/layout.ts';
import { OP } from '../module/opcodes.ts';
import type { DataSegment, FunctionType } from '../module/parse-module.ts';
import type { AppendedGlobal, RewriteContext } from './rewrite-context.ts';
import { rewriteFunction } from './rewrite-function.ts';
import { writeRuntimeFunctions } from './runtime-functions.ts';
import { SECTION } from '../module/sections.ts';
import { FUNCTION_FORM, I32, I64 } from '../module/value-types.ts';
import { ByteWriter } from '../module/writer.ts';

const MAGIC_AND_VERSION = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const MEMORY_IMPORT = 2;
const EXPORTED_FUNCTION = 0;
const EXPORTED_GLOBAL = 3;
const LIMIT_WITH_MAX = 1;
const LIMIT_WITH_MAX_64 = 5;
const PASSIVE_SEGMENT = 1;

const NO_BYTES = new Uint8Array(0);

function writeTypes(context: RewriteContext, out: ByteWriter): void {
  const writeOne = (type: FunctionType): void => {
    out.byte(FUNCTION_FORM);
    for (const list of [type.params, type.results]) {
      out.u32(list.length);
      for (const code of list) out.byte(code);
    }
  };
  out.u32(context.types.length).raw(context.source.raw.types);
  for (const type of context.types.slice(context.source.types.length)) writeOne(type);
}

function writeImports(context: RewriteContext, out: ByteWriter): void {
  out.u32(context.source.imports.length + 3);
  for (const { module, name, typeIndex } of context.source.imports) {
    out.name(module).name(name).byte(EXPORTED_FUNCTION).u32(typeIndex);
  }
  const memory = (name: string, is64: boolean, min: number, max: number): void => {
    out.name(HOST_MODULE).name(name).byte(MEMORY_IMPORT);
    out
      .byte(is64 ? LIMIT_WITH_MAX_64 : LIMIT_WITH_MAX)
      .u32(min)
      .u32(max);
  };
  memory(HOST_IMPORTS.memory, context.memory64, 0, context.memory64 ? MAX_PAGES_64 : MAX_PAGES_32);
  memory(HOST_IMPORTS.marks, false, MARKS_MEMORY_PAGES, MARKS_MEMORY_PAGES);
  memory(HOST_IMPORTS.undo, true, UNDO_STEP_PAGES, UNDO_MAX_PAGES);
}

function writeFunctions(context: RewriteContext, out: ByteWriter): void {
  const all = [...context.source.functions, ...context.appendedTypes];
  out.u32(all.length);
  for (const typeIndex of all) out.u32(typeIndex);
}

function writeGlobals(context: RewriteContext, out: ByteWriter): void {
  const types: Readonly<Record<AppendedGlobal, typeof I32 | typeof I64>> = {
    counter: I64,
    size: context.address,
    limit: context.address,
    tainted: I32,
  };
  const added = [...Object.values(types), ...context.shadows.map(({ shadowType }) => shadowType)];
  out.u32(context.source.globals.length + added.length).raw(context.source.raw.globals);
  for (const type of added)
    out
      .byte(type)
      .byte(1)
      .byte(type === I64 ? OP.i64Const : OP.i32Const)
      .byte(0)
      .byte(OP.end);
}

function writeExports(context: RewriteContext, out: ByteWriter): void {
  const { functions, globals, source } = context;
  const added: (readonly [name: string, kind: number, index: number])[] = [
    [HOST_EXPORTS.counter, EXPORTED_GLOBAL, globals.counter],
    [HOST_EXPORTS.size, EXPORTED_GLOBAL, globals.size],
    [HOST_EXPORTS.limit, EXPORTED_GLOBAL, globals.limit],
    [HOST_EXPORTS.tainted, EXPORTED_GLOBAL, globals.tainted],
    [HOST_EXPORTS.save, EXPORTED_FUNCTION, functions.save],
    [HOST_EXPORTS.restore, EXPORTED_FUNCTION, functions.restore],
  ];
  if (context.callbackTable !== undefined)
    added.push([HOST_EXPORTS.callback, EXPORTED_FUNCTION, functions.callback]);
  if (source.start !== undefined) added.push([HOST_EXPORTS.start, EXPORTED_FUNCTION, source.start]);
  context.shadows.forEach(({ shadowIndex }, position) => {
    added.push([HOST_EXPORTS.global(position), EXPORTED_GLOBAL, shadowIndex]);
  });
  out.u32(source.exports.length + added.length).raw(source.raw.exports);
  for (const [name, kind, index] of added) out.name(name).byte(kind).u32(index);
}

function writeCode(context: RewriteContext, out: ByteWriter): void {
  const { source } = context;
  const noType: FunctionType = { params: [], results: [] };
  out.u32(source.functions.length + context.appendedTypes.length);
  source.bodies.forEach((body, position) => {
    const type = source.types[source.functions[position] ?? -1] ?? noType;
    rewriteFunction(context, type, body, position, out);
  });
  writeRuntimeFunctions(context, out);
}

/**
 * Active segments become empty passive ones: the host writes their bytes once, when a canister's memory is created,
 * not whenever an instance is made. An applied active segment counts as dropped, which is what an empty one is.
 */
function writeData(segments: readonly DataSegment[], out: ByteWriter): void {
  out.u32(segments.length);
  for (const { offset, bytes } of segments) {
    const kept = offset === undefined ? bytes : NO_BYTES;
    out.byte(PASSIVE_SEGMENT).u32(kept.length).raw(kept);
  }
}

/** The instrumented module. It keeps the section order and every index of the original; `name` stays for backtraces. */
export function rewriteModule(context: RewriteContext): Uint8Array {
  const { source } = context;
  const out = new ByteWriter(4 * source.codeBytes + 4096).raw(MAGIC_AND_VERSION);
  const section = (id: number, fill: (body: ByteWriter) => void): void => {
    out.byte(id).sized(fill);
  };
  const unchanged = (id: number): void => {
    const body = source.unchanged.get(id);
    if (body !== undefined) section(id, (copy) => copy.raw(body));
  };
  section(SECTION.type, (body) => writeTypes(context, body));
  section(SECTION.import, (body) => writeImports(context, body));
  section(SECTION.function, (body) => writeFunctions(context, body));
  unchanged(SECTION.table);
  section(SECTION.global, (body) => writeGlobals(context, body));
  section(SECTION.export, (body) => writeExports(context, body));
  unchanged(SECTION.element);
  unchanged(SECTION.dataCount);
  section(SECTION.code, (body) => writeCode(context, body));
  if (source.data.length > 0) section(SECTION.data, (body) => writeData(source.data, body));
  for (const { name, content } of source.custom) {
    if (name === 'name') section(SECTION.custom, (body) => body.name(name).raw(content));
  }
  return out.view.slice();
}
