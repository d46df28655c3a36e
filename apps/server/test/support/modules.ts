/** `\0asm` and version 1. */
export const HEADER = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

/** An unsigned LEB128 number. */
export function leb(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  do {
    bytes.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    left >>>= 7;
  } while (left > 0);
  return Buffer.from(bytes);
}

function named(name: string | Buffer): Buffer {
  const bytes = Buffer.from(name);
  return Buffer.concat([leb(bytes.length), bytes]);
}

export function section(id: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([id]), leb(body.length), body]);
}

/** A custom section, as metadata is kept. */
export function custom(name: string, content: string | Buffer = ''): Buffer {
  return section(0, named(name), Buffer.from(content));
}

export interface ModuleParts {
  /** Functions without parameters and results. */
  readonly imports?: readonly (readonly [module: string, name: string])[];
  /** Names of one function that does nothing, or traps. */
  readonly exports?: readonly string[];
  readonly traps?: boolean;
  /** Pages of 64 KiB. */
  readonly memory?: number;
  readonly after?: readonly Buffer[];
}

/** A module of a few parts, byte by byte. */
export function moduleOf({
  imports = [],
  exports = [],
  traps = false,
  memory,
  after = [],
}: ModuleParts): Buffer {
  const rows = imports.map(([module, name]) =>
    Buffer.concat([named(module), named(name), Buffer.from([0, 0])]),
  );
  const entries = exports.map((name) => Buffer.concat([named(name), Buffer.from([0]), leb(imports.length)]));
  return Buffer.concat([
    HEADER,
    section(1, Buffer.from([1, 0x60, 0, 0])),
    ...(rows.length === 0 ? [] : [section(2, leb(rows.length), ...rows)]),
    section(3, Buffer.from([1, 0])),
    ...(memory === undefined ? [] : [section(5, Buffer.from([1, 0]), leb(memory))]),
    section(7, leb(entries.length), ...entries),
    section(10, Buffer.from(traps ? [1, 3, 0, 0, 0x0b] : [1, 2, 0, 0x0b])),
    ...after,
  ]);
}
