import { flushCompileCache } from 'node:module';

/** After the work that follows a start. */
const SAVE_AFTER_MILLISECONDS = 2_000;

/** Writes what this thread has compiled to disk soon; by itself Node does that at an orderly end only. */
export function saveCompiledCode(): void {
  setTimeout(flushCompileCache, SAVE_AFTER_MILLISECONDS).unref();
}
