import { randomBytes } from 'node:crypto';
import { chmod, chown, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError, textOf } from '../errors.ts';

const KEY_BYTES = 32;
/** Digits, and for what a key is that does not seal. */
const LINE = /^([0-9a-f]{64})(?: (next|old))?$/i;
/** Keys in one file: a rotation a year for longer than anybody keeps one. */
const MOST_KEYS = 64;
const OWNER_AND_GROUP = 0o660;

/** The keys of secrets in a file: one that seals, at most one that will, and those that only open. */
export interface KeyFile {
  readonly current: Buffer;
  readonly next: Buffer | undefined;
  readonly old: readonly Buffer[];
}

/** A new key, of 256 random bits. */
export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** What a file says (docs/operations/secrets.md); undefined where that is not a list of keys. */
export function keysIn(text: string): KeyFile | undefined {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (lines.length > MOST_KEYS) return undefined;
  const keys = lines.map((line) => LINE.exec(line));
  const of = (use: string | undefined): Buffer[] =>
    keys.flatMap((key) =>
      key !== null && key[2]?.toLowerCase() === use ? [Buffer.from(key[1] ?? '', 'hex')] : [],
    );
  const [current, ...others] = of(undefined);
  const [next, ...more] = of('next');
  if (keys.includes(null) || current === undefined || others.length > 0 || more.length > 0) return undefined;
  return { current, next, old: of('old') };
}

/** The text of such a file. */
export function textOfKeys({ current, next, old }: KeyFile): string {
  const lines = [
    current.toString('hex'),
    ...(next === undefined ? [] : [`${next.toString('hex')} next`]),
    ...old.map((key) => `${key.toString('hex')} old`),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Puts other keys into a file that is there: whole or not at all, also when the machine loses its power. Owner, group and their rights stay, so
 * that the servers can read it whoever rotates; nobody else has any.
 * @throws StartError where it cannot be written
 */
export async function replaceKeys(path: string, keys: KeyFile): Promise<void> {
  try {
    // A link stays one.
    const file = await realpath(path);
    const { uid, gid, mode } = await stat(file);
    const fresh = `${file}.new`;
    // Of a rotation that was killed here.
    await rm(fresh, { force: true });
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(textOfKeys(keys));
      if (process.getuid?.() === 0) await chown(fresh, uid, gid);
      await chmod(fresh, mode & OWNER_AND_GROUP);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
    const folder = await open(dirname(file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw new StartError(
      `${path} cannot be written: ${textOf(error)}. Name the file that the servers' copies are made of by SECRETS_KEY_FILE.`,
    );
  }
}
