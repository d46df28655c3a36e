import { ByteReader, InvalidModuleError } from './reader.ts';
import { SECTION } from './sections.ts';
import { ByteWriter } from './writer.ts';

/** Magic and version. */
const HEADER_BYTES = 8;
/** What custom sections begin with that the network reads. */
const METADATA = 'icp:';

/**
 * A module without the custom sections that the network does not read: names of functions, debugging information, notes of
 * tools. What it does stays the same.
 * @param options.without names of sections that are taken out as well
 * @throws InvalidModuleError when the bytes do not end where their sections do
 */
export function shrinkModule(
  bytes: Uint8Array,
  { without = [] }: { without?: readonly string[] } = {},
): Uint8Array {
  const shrunk = new ByteWriter(bytes.length);
  shrunk.copy(bytes, 0, HEADER_BYTES);
  const reader = new ByteReader(bytes, HEADER_BYTES);
  while (!reader.atEnd) {
    const start = reader.position;
    const id = reader.byte();
    const body = reader.take(reader.u32());
    if (reader.position > bytes.length)
      throw new InvalidModuleError('Failed to decode wasm module: it ends within a section.');
    const name = id === SECTION.custom ? new ByteReader(body).name() : null;
    const isKept = name === null || (name.startsWith(METADATA) && !without.includes(name));
    if (isKept) shrunk.copy(bytes, start, reader.position);
  }
  return shrunk.view.slice();
}

/** A module with one more custom section, at its end. */
export function withCustomSection(bytes: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const whole = new ByteWriter(bytes.length + content.length + name.length + 16).raw(bytes);
  whole.byte(SECTION.custom).sized((body) => body.name(name).raw(content));
  return whole.view.slice();
}
