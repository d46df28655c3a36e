import { enableCompileCache, flushCompileCache } from 'node:module';
import { storePaths } from './layout.ts';

/** After the work that follows a start. */
const SAVE_AFTER_MILLISECONDS = 2_000;
const VARIABLE = 'NODE_COMPILE_CACHE';

/**
 * Keeps what Node makes of this program's files in a directory of a store, for this thread and those it starts from
 * now on; about half the processor time of a start is that work. Nothing changes where the user named a directory
 * for it. Modules imported before are not kept.
 */
export function keepCompiledCode(directory: string): void {
  if (process.env[VARIABLE] !== undefined) return;
  const path = storePaths.compiled(directory);
  enableCompileCache(path);
  // Threads go by the variable, not by the setting of the thread that starts them.
  process.env[VARIABLE] = path;
}

/** Writes what this thread has compiled to disk soon; by itself Node does that at an orderly end only. */
export function saveCompiledCode(): void {
  setTimeout(flushCompileCache, SAVE_AFTER_MILLISECONDS).unref();
}
