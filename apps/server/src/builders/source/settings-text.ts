import JSON5 from 'json5';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { ProjectFileError } from './project-file-error.ts';

/** How often one part of a YAML file may be named elsewhere in it: a few lines of aliases could fill the memory. */
const MOST_ALIASES = 100;
/** Most levels of tables and lists in one another. */
const DEEPEST = 100;

/*
 * The three readers below take text of tenants. None is bounded by the length of its text alone, so that they are
 * called in a thread only (read-project-worker.ts).
 */

/**
 * Reads JSON as dfx does: comments and trailing commas are allowed.
 * @throws ProjectFileError that names the file.
 */
export function parseLenientJson(text: string, file: string): unknown {
  try {
    return JSON5.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ProjectFileError(`${file} is not valid JSON: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Reads TOML. @throws ProjectFileError with file and line. */
export function parseToml(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parseTomlText(text.replace(/^\uFEFF/, ''), { maxDepth: DEEPEST });
  } catch (error) {
    const line = error instanceof TomlError ? `, line ${error.line}` : '';
    throw new ProjectFileError(`${file}${line}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Reads YAML; numbers and truth values stay text. @throws ProjectFileError with file and line. */
export function parseYaml(text: string, file: string): unknown {
  try {
    const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
    const [error] = document.errors;
    if (error === undefined) return document.toJS({ maxAliasCount: MOST_ALIASES });
    const line = text.slice(0, error.pos[0]).split('\n').length;
    throw new ProjectFileError(`${file}, line ${line}: ${reasonOf(error)}.`, { cause: error });
  } catch (error) {
    if (error instanceof ProjectFileError) throw error;
    throw new ProjectFileError(`${file} is not valid YAML: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The first line of what a reader says. */
function reasonOf(error: unknown): string {
  // The readers recurse, and one of them reports the end of the stack like an error of the text.
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  if (first.includes('call stack')) return 'it is nested too deeply';
  return first.replace(/[.:]$/, '');
}
