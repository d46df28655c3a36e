import { Worker } from 'node:worker_threads';

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
  const worker = new Worker(new URL('./stable-types-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
  });
  const { promise, resolve } = Promise.withResolvers<StableTypesResult>();
  const fail = (failure: string): void => resolve({ failure });
  const timer = setTimeout(
    () => fail(`the compiler took longer than ${TIMEOUT_MS / 1000} seconds`),
    TIMEOUT_MS,
  );
  worker.on('message', (result: StableTypesResult) => resolve(result));
  worker.on('error', () => fail('the compiler cannot read them'));
  worker.on('exit', () => fail('the compiler ended without a result'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
