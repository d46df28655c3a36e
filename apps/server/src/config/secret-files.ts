import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Bytes of the longest secret; keys and passwords have some hundreds. A larger file is a mistake. */
const MOST_BYTES = 16 * 1024;

/** The variable that names the file of a secret, as containers and systemd have them. */
export type FileVariable<Name extends string> = `${Name}_FILE`;

const fileVariable = <Name extends string>(name: Name): FileVariable<Name> => `${name}_FILE`;

interface Found {
  /** The value; undefined where none is given, and where there is a problem. */
  readonly value?: string | undefined;
  /** What an operator has to change: it names variable and path, and never the content. */
  readonly problem?: string | undefined;
}

/**
 * A secret as the environment gives it: by its own variable, or in the file that `<name>_FILE` names. The content without its last line
 * break is the value. An empty variable counts as not set.
 */
export function findSecret(
  name: string,
  source: Readonly<Record<string, string | number | undefined>>,
): Found {
  const variable = fileVariable(name);
  const [value, path] = [source[name], source[variable]].map((given) =>
    given === undefined || given === '' ? undefined : String(given),
  );
  if (path === undefined) return { value };
  if (value !== undefined) return { problem: `${name} and ${variable} are both set. Leave one of them out.` };
  const content = contentOf(path);
  if (typeof content === 'string') return { problem: `${variable}: ${path} ${content}.` };
  return { value: content.text };
}

/** The text of a file, or what is wrong with the file as the end of a sentence. */
function contentOf(path: string): string | { text: string } {
  try {
    // Links are followed: Kubernetes has its secrets behind them. What is no file is not opened, since that alone may wait or act.
    if (!statSync(path).isFile()) return 'is not a file';
    const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return textIn(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
  }
}

function textIn(handle: number): string | { text: string } {
  if (!fstatSync(handle).isFile()) return 'is not a file';
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  for (;;) {
    const more = readSync(handle, bytes, length, bytes.length - length, null);
    length += more;
    if (length > MOST_BYTES) return `has more than ${MOST_BYTES / 1024} KiB, which no secret has`;
    if (more === 0) break;
  }
  const text = decoded(bytes.subarray(0, length))?.replace(/\r?\n$/, '');
  if (text === undefined) return 'has bytes that are no text';
  return text === '' ? 'is empty' : { text };
}

/** Text of UTF-8; undefined where it is none or has a zero byte, which no variable of the environment could have. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
