import { totalmem } from 'node:os';
import { runInThread, ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';

/** What a compile worker is given: texts, and paths of the project that are already checked. It opens no file of the project. */
export interface CompileRequest {
  /** Folder of the modules that are kept for the owner of the sources; null to keep and to recall none. */
  kept: string | null;
  main: string;
  /** Files the compiler may see, by their paths; in UTF-8. */
  sources: ReadonlyMap<string, Uint8Array>;
  /** Sets of flags to try in order. */
  attempts: string[][];
  packages: [name: string, folder: string][];
  /** Versions the project's settings ask for, for the message about a missing package. */
  wanted: [name: string, version: string][];
  /** Where a package is named that is not there, and what helps. */
  missing: [name: string, advice: string][];
  /** Other names of the bundled libraries, such as 'core@1'. */
  aliases: string[];
  /** What `import "canister:name"` means. */
  canisters: CanisterImport[];
}

/** A canister that others import. */
export interface CanisterImport {
  name: string;
  /** Its principal as text. */
  id: string;
  /** Its interface. */
  candid: string;
}

export interface CompiledModule {
  wasm: Uint8Array;
  /** The interface, with the types of the install arguments if there are any. */
  candid: string;
  stableTypes: string | null;
}

/** The sources do not compile, or compiling them went beyond a limit; the reason is in the log already. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
}

interface CompileOptions {
  timeoutMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** What the machine, or the container, has. */
const MEMORY_MB = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1024 ** 2;
/**
 * Memory of the compiler's thread in MB: a sixth of the machine's, since others build and serve beside it. Most projects take
 * 400; one with 36 mops packages, serde among them, took 2,700.
 */
const HEAP_MB = Math.round(Math.min(3_500, Math.max(1_500, MEMORY_MB / 6)));
/** The compiler recurses over its input; MB of stack. */
const STACK_MB = 64;

/**
 * Compiles a Motoko canister in a thread, which is ended at the time limit or when `signal` fires.
 * @throws CompileError when the sources do not compile
 */
export async function compileMotoko(
  request: CompileRequest,
  options: CompileOptions,
): Promise<CompiledModule> {
  try {
    return await runInThread<CompiledModule>({
      module: new URL('./compile-worker.ts', import.meta.url),
      request,
      heapMegabytes: HEAP_MB,
      stackMegabytes: STACK_MB,
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      onNote: (line) => options.onLine(String(line)),
    });
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new CompileError(error.message, { cause: error });
    if (!(error instanceof ThreadError)) throw error;
    throw new CompileError(`The compiler stopped: ${error.message}.`, { cause: error });
  }
}
