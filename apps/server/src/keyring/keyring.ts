import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '../data-dir/make-once.ts';
import { StartError, textOf } from '../errors.ts';
import { keyFor } from '../sealing.ts';
import { type KeyFile, keysIn, newKey, textOfKeys } from './key-file.ts';

const FILE = 'secrets.key';
/** Characters of an id in a sealed text: 64 bits, by which nobody's key is found. */
const ID_DIGITS = 16;

/** What the database keeps of a key of secrets; it tells nothing of the key. */
export function markOfKey(key: Buffer): string {
  return keyFor('check of the key of secrets', key).toString('hex');
}

/** How sealed texts name their key. */
export function idOfKey(key: Buffer): string {
  return markOfKey(key).slice(0, ID_DIGITS);
}

/** Where the keys of a server are: in the file of the operator, or in the data folder. */
export function keyFileOf({
  dataDir,
  secretsKeyFile,
}: {
  dataDir: string;
  secretsKeyFile?: string | undefined;
}) {
  return secretsKeyFile === undefined
    ? { path: join(dataDir, FILE), setting: '' }
    : { path: secretsKeyFile, setting: 'SECRETS_KEY_FILE ' };
}

/**
 * The keys of secrets of this process. They are in a file that a rotation replaces while servers run, so it is looked at again where a key is
 * missing and where one is chosen. What was read once stays known until the process ends.
 */
export class Keyring {
  readonly #path: string;
  readonly #known = new Map<string, Buffer>();
  #keys: KeyFile;
  /** What the file was like when it was read. */
  #seen: string;

  private constructor(path: string, setting: string) {
    this.#path = path;
    this.#seen = this.#look();
    this.#keys = read(path, setting);
    this.#learn();
  }

  /**
   * Opens the file of the operator if one is named; else the one in the data folder, which is made with a key at the first start, readable by the
   * server's user only. Servers of one database need the same keys.
   * @throws StartError when the file has no keys
   */
  static async open(where: Parameters<typeof keyFileOf>[0]): Promise<Keyring> {
    const { path, setting } = keyFileOf(where);
    if (where.secretsKeyFile === undefined)
      await makeOnce(path, textOfKeys({ current: newKey(), next: undefined, old: [] }));
    return new Keyring(path, setting);
  }

  /** What the file has now. */
  keys(): KeyFile {
    this.#refresh();
    return this.#keys;
  }

  /** A key by the id in a sealed text. */
  find(id: string): Buffer | undefined {
    if (!this.#known.has(id)) this.#refresh();
    return this.#known.get(id);
  }

  /** All that are known: what was sealed before keys had ids may be of any. */
  all(): Iterable<Buffer> {
    return this.#known.values();
  }

  #refresh(): void {
    const seen = this.#look();
    if (seen === this.#seen) return;
    try {
      this.#keys = read(this.#path, '');
    } catch (error) {
      // A file that is damaged or away for a moment takes no key from a server that runs.
      if (error instanceof StartError) return;
      throw error;
    }
    this.#seen = seen;
    this.#learn();
  }

  #look(): string {
    const found = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  }

  #learn(): void {
    const { current, next, old } = this.#keys;
    for (const key of [current, ...(next === undefined ? [] : [next]), ...old])
      this.#known.set(idOfKey(key), key);
  }
}

function read(path: string, setting: string): KeyFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`${setting}${path} cannot be read: ${textOf(error)}`);
  }
  const keys = keysIn(text);
  if (keys !== undefined) return keys;
  throw new StartError(
    `${setting}${path} has no key. It must hold 64 hexadecimal digits (openssl rand -hex 32); after a rotation more lines, as docs/operations/secrets.md says.`,
  );
}
