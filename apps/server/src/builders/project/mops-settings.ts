import { posix } from 'node:path';
import { splitFlags } from '../source/flags.ts';
import { readProjectFile } from '../source/project-files.ts';
import { parseToml } from '../source/settings-text.ts';
import { type Fields, fieldsOf, textOf } from './fields.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

/** What mops.toml says of a canister. */
export interface MopsCanister {
  /** As written, relative to the folder of mops.toml. */
  readonly main: string | null;
  readonly flags: readonly string[];
  readonly argument: string | null;
}

/** Compiler flags as a list or as one text. */
export function flagsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? splitFlags(value) : [];
}

/** The canisters of a folder's mops.toml by name; null when there is no such file. */
export async function readMopsCanisters(
  root: ProjectFiles,
  folder = '',
): Promise<ReadonlyMap<string, MopsCanister> | null> {
  const file = posix.join(folder, 'mops.toml');
  const text = await readProjectFile(root, file);
  if (text === null) return null;
  const mops: Fields = parseToml(text, file);
  const shared = flagsOf(fieldsOf(mops.moc).args);
  return new Map(
    Object.entries(fieldsOf(mops.canisters)).map(([name, value]) => {
      const fields: Fields = typeof value === 'string' ? { main: value } : fieldsOf(value);
      // Flags of a canister take the place of the shared ones (reference of mops.toml).
      const flags = fields.args === undefined ? shared : flagsOf(fields.args);
      const argument = textOf(fields.initArg) ?? textOf(fields.init_arg);
      return [name, { main: textOf(fields.main), flags, argument }];
    }),
  );
}
