import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CompiledModule } from './compile.ts';

/** What a compilation has said and made. */
export interface KeptCompilation {
  readonly module: CompiledModule;
  /** Lines of the log, as they came. */
  readonly notes: readonly string[];
  readonly compiledAt: Date;
}

/** The packages of the compiler and of the libraries it brings. */
const COMPILERS = ['motoko', 'motoko-3'];
/** The largest file that is read back, in bytes: a module of the network's limit, its texts and its notes. */
const LARGEST = 128 * 1024 ** 2;
const DIGEST_LENGTH = 32;

interface Head {
  readonly candid: string;
  readonly stableTypes: string | null;
  readonly notes: readonly string[];
}

/** Names a compilation by what decides its result: compiler and libraries, settings, and source texts by path. */
export function compilationKey(settings: unknown, sources: ReadonlyMap<string, string>): string {
  const load = createRequire(import.meta.url);
  const versions = COMPILERS.map((name) => (load(`${name}/package.json`) as { version: string }).version);
  const hash = createHash('sha256');
  const add = (text: string): unknown => hash.update(`${Buffer.byteLength(text)}:`).update(text);
  add(JSON.stringify([versions, settings]));
  for (const path of [...sources.keys()].toSorted()) {
    add(path);
    add(sources.get(path) ?? '');
  }
  return hash.digest('hex');
}

/** What was kept under a key; undefined where nothing was, or where it is damaged. Its use makes it young again. */
export async function recallCompilation(folder: string, key: string): Promise<KeptCompilation | undefined> {
  const path = join(folder, key);
  try {
    const { size, birthtime } = await stat(path);
    if (size > LARGEST) return undefined;
    const bytes = await readFile(path);
    const content = bytes.subarray(DIGEST_LENGTH);
    if (!digest(content).equals(bytes.subarray(0, DIGEST_LENGTH))) {
      await rm(path, { force: true });
      return undefined;
    }
    const headEnd = 4 + content.readUInt32LE(0);
    const { candid, stableTypes, notes } = JSON.parse(content.toString('utf8', 4, headEnd)) as Head;
    const now = new Date();
    // The folder of the program may be read-only.
    await utimes(path, now, now).catch(() => undefined);
    return {
      module: { wasm: Uint8Array.from(content.subarray(headEnd)), candid, stableTypes },
      notes,
      compiledAt: birthtime,
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Keeps a module whole or not at all. A disk that takes nothing more costs the next compilation its time, and no more. */
export async function keepCompilation(
  folder: string,
  key: string,
  { candid, stableTypes, wasm }: CompiledModule,
  notes: readonly string[],
): Promise<void> {
  const head = Buffer.from(JSON.stringify({ candid, stableTypes, notes } satisfies Head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const content = Buffer.concat([length, head, wasm]);
  const unfinished = join(folder, `${key}.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(unfinished, Buffer.concat([digest(content), content]), { mode: 0o600 });
    await rename(unfinished, join(folder, key));
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
