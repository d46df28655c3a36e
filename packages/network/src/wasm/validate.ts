/**
 * Limits of the Internet Computer on what a canister's module may hold (dfinity/ic
 * `rs/embedders/src/wasm_utils/validation.rs` and `rs/config/src/embedders.rs`).
 */
import type { Metadata } from '../messages.ts';
import { InvalidModuleError } from './invalid-module-error.ts';
import { HOST_EXPORT_PREFIX, MAX_PAGES_32, MAX_PAGES_64, WASM_PAGE } from './layout.ts';
import type { FunctionType, ParsedModule } from './parse-module.ts';
import type { CustomSection } from './sections.ts';

const MAX_FUNCTIONS = 50_000;
const MAX_GLOBALS = 1_000;
const MAX_CODE_BYTES = 10 * 1024 * 1024;
const MAX_METHODS = 1_000;
const MAX_METHOD_NAMES_LENGTH = 20_000;
const MAX_CUSTOM_SECTIONS = 16;
const MAX_CUSTOM_BYTES = 1024 * 1024;

const SYSTEM_MODULE = 'ic0';
const METHOD_PREFIX = /^canister_(?:update|query|composite_query) /;
/** The other exports with the reserved prefix `canister_`. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  'canister_init',
  'canister_pre_upgrade',
  'canister_post_upgrade',
  'canister_inspect_message',
  'canister_heartbeat',
  'canister_global_timer',
  'canister_on_low_wasm_memory',
]);

function refuse(reason: string): never {
  throw new InvalidModuleError(reason);
}

function checkImports(module: ParsedModule): void {
  for (const { module: from, name } of module.imports) {
    if (from !== SYSTEM_MODULE) {
      refuse(
        `Wasm module has an invalid import section. Module imports function '${name}' from '${from}' that is not exported by the runtime.`,
      );
    }
  }
}

function checkCounts(module: ParsedModule): void {
  if (module.functions.length > MAX_FUNCTIONS) {
    refuse(
      `Wasm module defined ${module.functions.length} functions which exceeds the maximum number allowed ${MAX_FUNCTIONS}.`,
    );
  }
  if (module.globals.length > MAX_GLOBALS) {
    refuse(
      `Wasm module defined ${module.globals.length} globals which exceeds the maximum number allowed ${MAX_GLOBALS}.`,
    );
  }
  if (module.codeBytes > MAX_CODE_BYTES) {
    refuse(
      `Wasm module code section size of ${module.codeBytes} exceeds the maximum allowed size of ${MAX_CODE_BYTES}`,
    );
  }
}

function typeOfFunction(module: ParsedModule, index: number): FunctionType | undefined {
  const imported = module.imports[index];
  const typeIndex = imported?.typeIndex ?? module.functions[index - module.imports.length];
  return typeIndex === undefined ? undefined : module.types[typeIndex];
}

function checkExports(module: ParsedModule): void {
  const invalid = (reason: string): never => refuse(`Wasm module has an invalid export section. ${reason}`);
  const methods = new Set<string>();
  let namesLength = 0;
  for (const { name, kind, index } of module.exports) {
    if (name.startsWith(HOST_EXPORT_PREFIX)) invalid(`Exporting reserved symbol '${name}'.`);
    if (kind !== 'function' || !name.startsWith('canister_')) continue;
    const isMethod = METHOD_PREFIX.test(name);
    if (!isMethod && !ENTRY_POINTS.has(name)) {
      invalid(`Exporting reserved function '${name}' with "canister_" prefix`);
    }
    const type = typeOfFunction(module, index);
    if (type === undefined || type.params.length > 0 || type.results.length > 0) {
      invalid(`Exported function '${name}' must have neither parameters nor results.`);
    }
    if (!isMethod) continue;
    const method = name.replace(METHOD_PREFIX, '');
    if (methods.has(method)) {
      invalid(
        `Duplicate function '${method}' exported multiple times with different call types: update, query, or composite_query.`,
      );
    }
    methods.add(method);
    namesLength += method.length;
  }
  if (methods.size > MAX_METHODS) {
    invalid(
      `The number of exported functions called \`canister_update <name>\`, \`canister_query <name>\`, or \`canister_composite_query <name>\` exceeds ${MAX_METHODS}.`,
    );
  }
  if (namesLength > MAX_METHOD_NAMES_LENGTH) {
    invalid(
      `The sum of \`<name>\` lengths in exported functions called \`canister_update <name>\`, \`canister_query <name>\`, or \`canister_composite_query <name>\` exceeds ${MAX_METHOD_NAMES_LENGTH}.`,
    );
  }
}

function checkMemory(module: ParsedModule): void {
  const { memory } = module;
  if (memory === undefined) return;
  const cap = memory.memory64 ? MAX_PAGES_64 : MAX_PAGES_32;
  if (memory.min > cap)
    refuse(`Wasm module declares a memory of ${memory.min} pages, more than the ${cap} allowed.`);
  const size = BigInt(memory.min) * BigInt(WASM_PAGE);
  for (const { offset, bytes } of module.data) {
    if (offset !== undefined && offset + BigInt(bytes.length) > size) {
      refuse('Wasm module has an invalid data section. A segment lies outside the initial memory.');
    }
  }
}

/** Throws `InvalidModuleError` for a module that breaks a limit, naming the limit or the offending item. */
export function validateModule(module: ParsedModule): void {
  checkImports(module);
  checkCounts(module);
  checkExports(module);
  checkMemory(module);
}

/** The metadata of a module: its custom sections named `icp:public <name>` and `icp:private <name>`. */
export function readMetadata(custom: readonly CustomSection[]): Metadata[] {
  const invalid = (reason: string): never => refuse(`Wasm module has an invalid custom section. ${reason}`);
  const found = new Map<string, Metadata>();
  let total = 0;
  for (const { name: sectionName, content } of custom) {
    if (!sectionName.startsWith('icp:')) continue;
    const [, visibility, name] = /^icp:(public|private) ([^]*)$/.exec(sectionName) ?? [];
    if ((visibility !== 'public' && visibility !== 'private') || name === undefined) {
      invalid(`Custom section '${sectionName}' has no public/private scope defined.`);
    } else {
      if (found.has(name)) invalid(`name ${name} already exists`);
      total += name.length + content.length;
      found.set(name, { name, visibility, content: content.slice() });
    }
  }
  if (found.size > MAX_CUSTOM_SECTIONS) {
    refuse(
      `Wasm module defined ${found.size} custom sections which exceeds the maximum number allowed ${MAX_CUSTOM_SECTIONS}.`,
    );
  }
  if (total > MAX_CUSTOM_BYTES) {
    invalid(
      `total size of the custom sections exceeds the maximum allowed: size ${total} bytes, allowed ${MAX_CUSTOM_BYTES} bytes`,
    );
  }
  return [...found.values()];
}
