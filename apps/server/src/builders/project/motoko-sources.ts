import { posix } from 'node:path';
import { splitFlags } from '../source/flags.ts';
import { ProjectFileError } from '../source/project-file-error.ts';
import { listFiles, readProjectFile } from '../source/project-files.ts';
import { parseToml } from '../source/settings-text.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';
import { type Fields, fieldsOf, textOf } from '../source/fields.ts';

/** Bytes of one source that is looked through for its imports. */
const SOURCE_LIMIT = 4 * 1024 * 1024;
/** Files of one canister that are looked through. */
const FILES_LIMIT = 2_000;

/** An import of Motoko; the bounds keep the search linear in a hostile text. */
const IMPORT = /\bimport\b[^";]{0,300}"([^"\n]{1,300})"/g;

/**
 * The main file by convention, relative to `folder`.
 * @throws ProjectFileError when none or several may be meant
 */
export async function mainBySources(root: ProjectFiles, folder: string): Promise<string> {
  const sources = (await listFiles(root, ['.mo'], folder))
    .map((path) => posix.relative(folder, path))
    .filter((path) => !path.startsWith('.mops/'));
  for (const usual of ['main.mo', 'Main.mo', 'src/main.mo', 'src/Main.mo']) {
    if (sources.includes(usual)) return usual;
  }
  const named = sources.filter((path) => posix.basename(path).toLowerCase() === 'main.mo');
  const candidates = named.length > 0 ? named : sources;
  const [only, ...more] = candidates;
  if (only === undefined) {
    throw new ProjectFileError(
      'No Motoko source (*.mo) was found. Choose the repository or branch that holds the canister.',
    );
  }
  if (more.length > 0) {
    throw new ProjectFileError(
      `Several files may be the main one: ${candidates.slice(0, 10).join(', ')}. ` +
        'Name it in dfx.json ("main") or in mops.toml ([canisters]).',
    );
  }
  return only;
}

/** What the imports of a source name, in order. */
export function importsOf(source: string): string[] {
  return Array.from(source.matchAll(IMPORT), ([, named = '']) => named);
}

/** Names in `import "canister:name"` of a main file and of everything it imports by a relative path. */
export async function importedCanisters(root: ProjectFiles, main: string): Promise<string[]> {
  const names = new Set<string>();
  const seen = new Set([main]);
  for (const path of seen) {
    if (seen.size > FILES_LIMIT) break;
    const text = await readProjectFile(root, path, SOURCE_LIMIT);
    for (const named of importsOf(text ?? '')) {
      if (named.startsWith('canister:')) names.add(named.slice('canister:'.length));
      else if (!named.includes(':')) {
        const base = posix.normalize(posix.join(posix.dirname(path), named));
        if (base.startsWith('../')) continue;
        seen.add(base.endsWith('.mo') ? base : `${base}.mo`);
        seen.add(`${base}/lib.mo`);
      }
    }
  }
  return [...names];
}

/** What mops.toml says of a canister. */
interface MopsCanister {
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
