import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CompileOptions {
  /** Classical persistence: 32-bit memory, state goes through stable memory on upgrade. */
  readonly classic?: boolean;
}

const COMPILER = fileURLToPath(new URL('./compile-motoko.mjs', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/motoko-test-wasm', import.meta.url));
const MAX_MODULE_BYTES = 64 * 1024 * 1024;

/**
 * One Motoko actor, compiled with npm `motoko`; it may use `mo:core`, and its interface is public metadata. Each
 * source is compiled once and kept in the project's cache folder.
 */
export function compileMotoko(source: string, { classic = false }: CompileOptions = {}): Uint8Array {
  const kind = classic ? 'classic' : 'enhanced';
  const key = createHash('sha256').update(`motoko 4.10.0 ${kind} ${source}`).digest('hex');
  const path = join(CACHE, `${key}.wasm`);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const wasm = execFileSync(process.execPath, [COMPILER, kind], {
    input: source,
    maxBuffer: MAX_MODULE_BYTES,
  });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, wasm);
  renameSync(`${path}.${process.pid}`, path);
  return new Uint8Array(wasm);
}
