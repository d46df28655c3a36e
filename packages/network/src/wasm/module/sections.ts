import { InvalidModuleError } from './invalid-module-error.ts';
import { ByteReader } from './reader.ts';

export const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
} as const;

const LAST_KNOWN_SECTION = SECTION.dataCount;
/** After the four magic bytes and the version. */
const FIRST_SECTION = 8;

export interface CustomSection {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Sections {
  /** Body of each section other than custom ones, by section number. */
  readonly known: ReadonlyMap<number, Uint8Array>;
  readonly custom: readonly CustomSection[];
}

/** Cuts a validated module into its sections, without copying. */
export function splitSections(bytes: Uint8Array): Sections {
  const known = new Map<number, Uint8Array>();
  const custom: CustomSection[] = [];
  const reader = new ByteReader(bytes, FIRST_SECTION);
  while (!reader.atEnd) {
    const id = reader.byte();
    const body = reader.take(reader.u32());
    if (id === SECTION.custom) {
      const inner = new ByteReader(body);
      custom.push({ name: inner.name(), content: inner.rest() });
    } else if (id > LAST_KNOWN_SECTION) {
      throw new InvalidModuleError(`Wasm module uses a section (number ${id}) that is not supported.`);
    } else {
      known.set(id, body);
    }
  }
  return { known, custom };
}
