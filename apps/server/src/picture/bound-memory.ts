/** Kind of the section of a module that declares its memory (WebAssembly core specification, "Memory section"). */
const MEMORY_SECTION = 5;
/** Bytes before the first section. */
const HEADER = 8;

/**
 * Lets every WebAssembly module that this thread makes from now on have no more memory than this: V8's limits of a thread
 * hold for objects of JavaScript only. Code that asks for more is told that there is none.
 * @param pages of 64 KiB
 */
export function boundMemory(pages: number): void {
  const Unbound = WebAssembly.Module;
  WebAssembly.Module = class extends Unbound {
    constructor(bytes: BufferSource) {
      super(withMostPages(bytesOf(bytes), pages));
    }
  };
}

function bytesOf(source: BufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

/** The module with a limit of its one memory. @throws TypeError for a module without one memory of its own */
export function withMostPages(module: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER; at < module.length; ) {
    const { value: length, end: content } = readNumber(module, at + 1);
    if (module[at] !== MEMORY_SECTION) {
      at = content + length;
      continue;
    }
    const flags = module[content + 1] ?? 0;
    if (module[content] !== 1 || flags > 1) break;
    const { value: least } = readNumber(module, content + 2);
    const memory = [1, 1, ...numberOf(least), ...numberOf(pages)];
    return Uint8Array.from(
      Buffer.concat([
        module.subarray(0, at),
        Uint8Array.from([MEMORY_SECTION, ...numberOf(memory.length), ...memory]),
        module.subarray(content + length),
      ]),
    );
  }
  throw new TypeError('The module has no memory that can be bounded.');
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, factor = 1; ; at += 1, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

function numberOf(value: number): number[] {
  return value < 128 ? [value] : [(value & 0x7f) | 0x80, ...numberOf(Math.floor(value / 128))];
}
