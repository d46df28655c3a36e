import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledModule } from './compile-protocol.ts';

/** What a compilation has said and made. */
export interface KeptModule {
  readonly module: CompiledModule;
  /** Lines of the log, as they came. */
  readonly notes: readonly string[];
  readonly compiledAt: Date;
}

/** The largest file that is read back, in bytes: a module of the network's limit, its texts and its notes. */
const LARGEST = 128 * 1024 ** 2;
const DIGEST_LENGTH = 32;

interface Head {
  readonly candid: string;
  readonly stableTypes: string | null;
  readonly notes: readonly string[];
}

/** Names a compilation by everything that decides its result; a map of source texts by path among it. */
export function compilationKey(settings: unknown, sources: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  const add = (text: string): unknown => hash.update(`${Buffer.byteLength(text)}:`).update(text);
  add(JSON.stringify(settings));
  for (const path of [...sources.keys()].toSorted()) {
    add(path);
    add(sources.get(path) ?? '');
  }
  return hash.digest('hex');
}

/** What was kept under a key; undefined where nothing was, or where it is damaged. Its use makes it young again. */
export function recallModule(folder: string, key: string): KeptModule | undefined {
  const path = join(folder, key);
  try {
    const { size, birthtime } = statSync(path);
    if (size > LARGEST) return undefined;
    const bytes = readFileSync(path);
    const content = bytes.subarray(DIGEST_LENGTH);
    if (!digest(content).equals(bytes.subarray(0, DIGEST_LENGTH))) {
      rmSync(path, { force: true });
      return undefined;
    }
    const headEnd = 4 + content.readUInt32LE(0);
    const { candid, stableTypes, notes } = JSON.parse(content.toString('utf8', 4, headEnd)) as Head;
    const now = new Date();
    utimesSync(path, now, now);
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
export function keepModule(
  folder: string,
  key: string,
  { candid, stableTypes, wasm }: CompiledModule,
  notes: readonly string[],
): void {
  const head = Buffer.from(JSON.stringify({ candid, stableTypes, notes } satisfies Head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const content = Buffer.concat([length, head, wasm]);
  const unfinished = join(folder, `${key}.${randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  try {
    writeFileSync(unfinished, Buffer.concat([digest(content), content]), { mode: 0o600 });
    renameSync(unfinished, join(folder, key));
  } catch {
    rmSync(unfinished, { force: true });
  }
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
