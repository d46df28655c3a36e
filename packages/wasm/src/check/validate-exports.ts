/** Rules for the names and types of a canister's exports (dfinity/ic `rs/embedders/src/wasm_utils/validation.rs`). */
import { InvalidModuleError } from '../module/reader.ts';
import { HOST_EXPORT_PREFIX } from '../module/layout.ts';
import type { FunctionType, ParsedModule } from '../module/parse-module.ts';
import { valueTypeName } from '../module/value-types.ts';

const MAX_METHODS = 1_000;
/** Bytes of UTF-8. */
const MAX_METHOD_NAMES_BYTES = 20_000;

const METHOD = /^canister_(?:update|query|composite_query) ([^]*)$/;
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
/** Names the replica adds to a module itself: `RESERVED_SYMBOLS`. */
const RESERVED_SYMBOLS: ReadonlySet<string> = new Set([
  'canister counter_instructions',
  'canister_start',
  'canister counter_dirty_pages',
  'canister counter_accessed_pages',
  'stable_memory',
  'stable_bytemap_memory',
]);
const METHOD_KINDS =
  '`canister_update <name>`, `canister_query <name>`, or `canister_composite_query <name>`';

function refuse(reason: string): never {
  throw new InvalidModuleError(reason);
}

const invalid = (reason: string): never => refuse(`Wasm module has an invalid export section. ${reason}`);

function typeOfFunction(module: ParsedModule, index: number): FunctionType | undefined {
  const imported = module.imports[index];
  const typeIndex = imported?.typeIndex ?? module.functions[index - module.imports.length];
  return typeIndex === undefined ? undefined : module.types[typeIndex];
}

const listed = (types: readonly number[]): string => `[${types.map(valueTypeName).join(', ')}]`;

/** Entry points take nothing and return nothing. */
function checkType(name: string, type: FunctionType | undefined): void {
  const wrong = (what: string, got: readonly number[]): never =>
    refuse(
      `Wasm module has an invalid function signature. Expected ${what} [] for '${name}', got ${listed(got)}.`,
    );
  if (type === undefined || type.params.length > 0) wrong('input params', type?.params ?? []);
  else if (type.results.length > 0) wrong('return type', type.results);
}

function checkMethods(methods: readonly string[]): void {
  const seen = new Set<string>();
  let bytes = 0;
  for (const name of methods) {
    if (seen.has(name)) {
      refuse(
        `Duplicate function '${name}' exported multiple times with different call types: update, query, or composite_query.`,
      );
    }
    seen.add(name);
    bytes += Buffer.byteLength(name);
  }
  if (seen.size > MAX_METHODS) {
    refuse(
      `The number of exported functions called ${METHOD_KINDS} is ${seen.size} which exceeds ${MAX_METHODS}.`,
    );
  }
  if (bytes > MAX_METHOD_NAMES_BYTES) {
    refuse(
      `The sum of \`<name>\` lengths in exported functions called ${METHOD_KINDS} is ${bytes} which exceeds the allowed limit of ${MAX_METHOD_NAMES_BYTES}.`,
    );
  }
}

/** Throws `InvalidModuleError` naming the export that breaks a rule. */
export function validateExports(module: ParsedModule): void {
  const methods: string[] = [];
  for (const { name, kind, index } of module.exports) {
    if (RESERVED_SYMBOLS.has(name) || name.startsWith(HOST_EXPORT_PREFIX)) {
      invalid(`Exporting reserved symbol ${name} not allowed.`);
    }
    if (kind !== 'function' || !name.startsWith('canister_')) continue;
    const method = METHOD.exec(name)?.[1];
    if (method !== undefined) methods.push(method);
    else if (!ENTRY_POINTS.has(name))
      invalid(`Exporting reserved function '${name}' with "canister_" prefix`);
    checkType(name, typeOfFunction(module, index));
  }
  checkMethods(methods);
}
