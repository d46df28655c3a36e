/** Magic and version (WebAssembly core specification, 5.5.16). */
const HEADER_BYTES = 8;
const CUSTOM_SECTION = 0;
const EXPORT_SECTION = 7;
/** Kind of an exported function (WebAssembly core specification, 5.5.10). */
const FUNCTION = 0;
/** No compiler makes nearly as many; what is behind them is not read. */
const MAX_SECTIONS = 200_000;
/** All custom sections together may have this many bytes (interface specification, "WebAssembly module requirements"). */
const MAX_METADATA_BYTES = 1024 * 1024;
/** Far above what the network lets a module export (1,000 functions, dfinity/ic rs/embedders/src/wasm_utils/validation.rs). */
const MAX_EXPORTS = 20_000;

interface Section {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** The sections of an unpacked module, as far as its bytes are well-formed. */
function* sectionsOf(wasm: Uint8Array): Generator<Section> {
  let offset = HEADER_BYTES;
  for (let count = 0; count < MAX_SECTIONS && offset < wasm.length; count++) {
    const size = readLeb(wasm, offset + 1);
    if (size === undefined) return;
    const end = size.next + size.value;
    if (end > wasm.length) return;
    yield { id: wasm[offset] ?? 0, start: size.next, end };
    offset = end;
  }
}

/** A name and where it ends; undefined when it goes beyond `end`. */
function readName(
  wasm: Uint8Array,
  start: number,
  end: number,
): { name: Uint8Array; next: number } | undefined {
  const length = readLeb(wasm, start);
  if (length === undefined) return undefined;
  const next = length.next + length.value;
  return next > end ? undefined : { name: wasm.subarray(length.next, next), next };
}

/**
 * The content of an `icp:public` or `icp:private` custom section of a module (interface specification, "Canister
 * metadata"); undefined when there is none, it is larger than the network takes, or the bytes are not well-formed.
 * @param wasm an unpacked module
 */
export function metadataSection(wasm: Uint8Array, name: string): Uint8Array | undefined {
  const titles = [Buffer.from(`icp:public ${name}`), Buffer.from(`icp:private ${name}`)];
  for (const { id, start, end } of sectionsOf(wasm)) {
    if (id !== CUSTOM_SECTION) continue;
    const title = readName(wasm, start, end);
    if (title === undefined) return undefined;
    // Compared in place: a module may have very many sections, each with a very long name.
    if (!titles.some((wanted) => wanted.equals(title.name))) continue;
    return end - title.next > MAX_METADATA_BYTES ? undefined : wasm.subarray(title.next, end);
  }
  return undefined;
}

const METADATA_TITLE = /^icp:(?:public|private) ([^\0]{1,1000})$/;

/**
 * Names of the metadata sections of a module, in their order.
 * @param wasm an unpacked module
 */
export function metadataNames(wasm: Uint8Array): string[] {
  const names = new Set<string>();
  for (const { id, start, end } of sectionsOf(wasm)) {
    const title = id === CUSTOM_SECTION ? readName(wasm, start, end) : undefined;
    if (title === undefined) continue;
    const [, name] = METADATA_TITLE.exec(Buffer.from(title.name.subarray(0, 1100)).toString('utf8')) ?? [];
    if (name !== undefined) names.add(name);
    if (names.size === MAX_EXPORTS) break;
  }
  return [...names];
}

/**
 * Names of the functions a module exports, in their order, as far as its bytes are well-formed.
 * @param wasm an unpacked module
 */
export function exportedFunctions(wasm: Uint8Array): string[] {
  const names: string[] = [];
  for (const { id, start, end } of sectionsOf(wasm)) {
    if (id !== EXPORT_SECTION) continue;
    const count = readLeb(wasm, start);
    if (count === undefined) return names;
    let offset = count.next;
    for (let left = Math.min(count.value, MAX_EXPORTS); left > 0; left--) {
      const name = readName(wasm, offset, end);
      const index = name === undefined ? undefined : readLeb(wasm, name.next + 1);
      if (name === undefined || index === undefined) return names;
      if (wasm[name.next] === FUNCTION) names.push(Buffer.from(name.name).toString('utf8'));
      offset = index.next;
    }
    return names;
  }
  return names;
}

/** An unsigned LEB128 number of at most 32 bits (WebAssembly core specification, 5.2.2). */
function readLeb(bytes: Uint8Array, start: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: start + index + 1 };
  }
  return undefined;
}
