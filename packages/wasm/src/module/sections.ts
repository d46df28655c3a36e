import { ByteReader, InvalidModuleError } from './reader.ts';

/** What a module says of itself to whoever asks about its canister: a section named `icp:public <name>` or `icp:private <name>`. */
export interface Metadata {
  readonly name: string;
  readonly visibility: 'public' | 'private';
  readonly content: Uint8Array;
}

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

interface Sections {
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

/** Limits of dfinity/ic `rs/config/src/embedders.rs`. */
const MAX_CUSTOM_SECTIONS = 16;
const MAX_CUSTOM_BYTES = 1024 * 1024;

function invalid(reason: string): never {
  throw new InvalidModuleError(`Wasm module has an invalid custom section. ${reason}`);
}

/**
 * The metadata of a module: its custom sections named `icp:public <name>` and `icp:private <name>`. Throws
 * `InvalidModuleError` as the replica does (`validate_custom_section` in `rs/embedders/src/wasm_utils/validation.rs`).
 */
export function readMetadata(custom: readonly CustomSection[]): Metadata[] {
  const found = new Map<string, Metadata>();
  let total = 0;
  for (const { name: sectionName, content } of custom) {
    if (!sectionName.startsWith('icp:')) continue;
    const [, visibility, name] = /^icp:(public|private) ([^]*)$/.exec(sectionName) ?? [];
    if (sectionName === 'icp:public' || sectionName === 'icp:private') {
      invalid("'icp:' section names must have a space after the public/private scope");
    }
    if ((visibility !== 'public' && visibility !== 'private') || name === undefined) {
      invalid(`Invalid custom section: Custom section '${sectionName}' has no public/private scope defined.`);
    }
    if (found.has(name)) invalid(`Invalid custom section: name ${name} already exists`);
    total += Buffer.byteLength(name) + content.length;
    if (total > MAX_CUSTOM_BYTES) {
      invalid(
        `Invalid custom sections: total size of the custom sections exceeds the maximum allowed: size ${total} bytes, allowed ${MAX_CUSTOM_BYTES} bytes`,
      );
    }
    found.set(name, { name, visibility, content: content.slice() });
    if (found.size > MAX_CUSTOM_SECTIONS) {
      throw new InvalidModuleError(
        `Wasm module defined ${found.size} custom sections which exceeds the maximum number allowed ${MAX_CUSTOM_SECTIONS}.`,
      );
    }
  }
  return [...found.values()];
}
