import { posix } from 'node:path';
import { ProjectFileError } from '../source/project-file-error.ts';
import { projectPath, readProjectFile } from '../source/project-files.ts';
import { fieldsOf, textOf } from '../source/fields.ts';
import type { InstallArgument } from './plan.ts';
import type { ProjectFiles } from '../tenant/project-files.ts';

/** Bytes of install arguments as text; the call that carries them has 2 MiB at most. */
const LIMIT = 2 * 1024 * 1024;

async function fileText(root: ProjectFiles, file: string, path: string): Promise<string> {
  const text = await readProjectFile(root, projectPath(file, path), LIMIT);
  if (text === null)
    throw new ProjectFileError(`${file} names the argument file ${path}, which is not there.`);
  return text;
}

function textArgument(text: string | null): InstallArgument | null {
  return text === null ? null : { kind: 'text', text };
}

/** Install arguments of dfx.json: `init_arg`, or the text of `init_arg_file`. */
export async function dfxArgument(
  root: ProjectFiles,
  file: string,
  fields: { readonly init_arg?: unknown; readonly init_arg_file?: unknown },
): Promise<InstallArgument | null> {
  const named = textOf(fields.init_arg_file);
  return textArgument(named === null ? textOf(fields.init_arg) : await fileText(root, file, named));
}

/**
 * Install arguments of icp.yaml: a text, or a table with `value` or `path` and a `format`.
 * @param folder that of the canister, to which `path` is relative
 */
export async function icpArgument(
  root: ProjectFiles,
  file: string,
  folder: string,
  given: unknown,
): Promise<InstallArgument | null> {
  const direct = textOf(given);
  if (direct !== null) return textArgument(direct);
  const fields = fieldsOf(given);
  const path = textOf(fields.path);
  const format = textOf(fields.format) ?? 'candid';
  if (format === 'bin') {
    throw new ProjectFileError(
      `${file}: install arguments in the format bin are not supported here. Write them as Candid text or hex.`,
    );
  }
  const text = path === null ? textOf(fields.value) : await fileText(root, file, posix.join(folder, path));
  if (text === null || format !== 'hex') return textArgument(text);
  return { kind: 'hex', hex: text.trim() };
}
