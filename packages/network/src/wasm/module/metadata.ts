import type { Metadata } from '../../messages.ts';
import { InvalidModuleError } from './invalid-module-error.ts';
import type { CustomSection } from './sections.ts';

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
