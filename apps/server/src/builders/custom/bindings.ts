import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { BuildError } from '../build-error.ts';
import type { Bindings } from './declarations.ts';

/** Bounds of translating one interface; one of 200 kB takes 0.2 s. */
const TIMEOUT_MS = 20_000;
const HEAP_MEGABYTES = 256;
const STACK_MEGABYTES = 16;
/** Characters of a reason in the log. */
const REASON = 300;

/**
 * JavaScript bindings of a canister's interface, which is text of a tenant: it is read in a thread with bounds.
 * @throws BuildError when it cannot be read
 */
export async function bindingsFor(name: string, candid: string, signal: AbortSignal): Promise<Bindings> {
  try {
    return await runInThread<Bindings>({
      module: new URL('./bindings-worker.ts', import.meta.url),
      request: candid,
      heapMegabytes: HEAP_MEGABYTES,
      stackMegabytes: STACK_MEGABYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (!(error instanceof ThreadError || error instanceof ThreadRefusal)) throw error;
    throw new BuildError(
      `The interface of ${name} cannot be turned into JavaScript: ${error.message.slice(0, REASON)}.`,
      { cause: error },
    );
  }
}
