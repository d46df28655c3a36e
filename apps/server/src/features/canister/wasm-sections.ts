import { gunzipSync } from 'node:zlib';
import { MAX_WASM_BYTES } from '@cannery/contract';

const HEADER_BYTES = 8;
const CUSTOM_SECTION = 0;

/** Unpacks a module when it is gzip; other bytes are answered as they are. */
export function unpackedWasm(wasm: Uint8Array): Uint8Array {
  const isGzip = wasm[0] === 0x1f && wasm[1] === 0x8b;
  return isGzip ? gunzipSync(wasm, { maxOutputLength: MAX_WASM_BYTES }) : wasm;
}

/**
 * The content of an `icp:public` or `icp:private` custom section of a module (interface specification, "Canister
 * metadata"); undefined when there is none or the bytes are not well-formed.
 * @param wasm an unpacked module
 */
export function metadataSection(wasm: Uint8Array, name: string): Uint8Array | undefined {
  const titles = [Buffer.from(`icp:public ${name}`), Buffer.from(`icp:private ${name}`)];
  let offset = HEADER_BYTES;
  while (offset < wasm.length) {
    const id = wasm[offset];
    const size = readLeb(wasm, offset + 1);
    if (size === undefined) return undefined;
    const end = size.next + size.value;
    if (end > wasm.length) return undefined;
    if (id === CUSTOM_SECTION) {
      const length = readLeb(wasm, size.next);
      if (length === undefined) return undefined;
      const content = length.next + length.value;
      if (content > end) return undefined;
      // Compared in place: a module may have very many sections, each with a very long name.
      const title = wasm.subarray(length.next, content);
      if (titles.some((wanted) => wanted.equals(title))) return wasm.subarray(content, end);
    }
    offset = end;
  }
  return undefined;
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
