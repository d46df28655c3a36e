import { textOf } from '../../errors.ts';
import { runInThread, ThreadError } from '../../thread/run-in-thread.ts';

/** Two texts of the metadata section `motoko:stable-types`. */
export interface StableTypesRequest {
  readonly installed: string;
  readonly next: string;
}

/** Sentences about stable variables that an upgrade would lose, or why nothing can be said. */
export type StableTypesResult = { readonly errors: string[] } | { readonly failure: string };

/** Memory of the compiler's thread, and its stack, in MB. */
const HEAP_MB = 512;
const STACK_MB = 64;
const TIMEOUT_MS = 30_000;

/** One comparison at a time: each takes a compiler's memory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Asks the Motoko compiler whether the stable variables of installed code fit those of new code; it runs in a thread of
 * its own, which is ended at a time limit. Never throws.
 */
export function stableTypeErrors(installed: string, next: string): Promise<StableTypesResult> {
  const result = last.then(() => compareInThread({ installed, next }));
  last = result;
  return result;
}

async function compareInThread(request: StableTypesRequest): Promise<StableTypesResult> {
  try {
    return await runInThread<StableTypesResult>({
      module: new URL('./stable-types-worker.ts', import.meta.url),
      request,
      heapMegabytes: HEAP_MB,
      stackMegabytes: STACK_MB,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    return { failure: error instanceof ThreadError ? `in the compiler, ${error.message}` : textOf(error) };
  }
}
