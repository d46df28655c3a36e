/** The little of the WebAssembly binary format that finishing a canister module takes. */

const PREAMBLE_SIZE = 8;
const CUSTOM = 0;
const EXPORT = 7;

interface Section {
  readonly id: number;
  readonly body: Uint8Array;
}

/** A module that is not what the build expects. */
class WasmSectionError extends Error {
  override readonly name = 'WasmSectionError';
}

class Cursor {
  #at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new WasmSectionError('unexpected end of the module');
    return byte;
  }

  uleb(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  take(size: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + size);
    this.#at += size;
    return taken;
  }
}

function uleb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

function name(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return Buffer.concat([Uint8Array.from(uleb(bytes.length)), bytes]);
}

function renamedExports(body: Uint8Array, rename: (name: string) => string): Uint8Array {
  const cursor = new Cursor(body);
  const count = cursor.uleb();
  const parts: Uint8Array[] = [Uint8Array.from(uleb(count))];
  for (let i = 0; i < count; i++) {
    const exported = new TextDecoder().decode(cursor.take(cursor.uleb()));
    parts.push(name(rename(exported)), Uint8Array.of(cursor.byte()), Uint8Array.from(uleb(cursor.uleb())));
  }
  return Buffer.concat(parts);
}

/**
 * Gives a module's exports other names and adds custom sections at its end.
 * @throws WasmSectionError when the module ends early.
 */
export function finishModule(
  module: Uint8Array,
  rename: (name: string) => string,
  customSections: ReadonlyMap<string, string>,
): Uint8Array {
  const cursor = new Cursor(module, PREAMBLE_SIZE);
  const sections: Section[] = [];
  while (!cursor.done) {
    const id = cursor.byte();
    const body = cursor.take(cursor.uleb());
    sections.push(id === EXPORT ? { id, body: renamedExports(body, rename) } : { id, body });
  }
  for (const [sectionName, text] of customSections) {
    sections.push({ id: CUSTOM, body: Buffer.concat([name(sectionName), new TextEncoder().encode(text)]) });
  }
  const parts = sections.flatMap(({ id, body }) => [Uint8Array.from([id, ...uleb(body.length)]), body]);
  return new Uint8Array(Buffer.concat([module.subarray(0, PREAMBLE_SIZE), ...parts]));
}
