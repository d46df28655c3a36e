import { Worker } from 'node:worker_threads';
import type { CompiledModule, CompileMessage, CompileRequest } from './compile-protocol.ts';
import type { MotokoCanister } from './find-canisters.ts';
import { findPackages } from './find-packages.ts';
import { filterFlags, flagAttempts } from './flags.ts';
import { ProjectFileError } from './lenient-json.ts';
import { listFiles, readProjectFile } from './project-files.ts';

/** The sources do not compile, or compiling them went beyond a limit; the reason is in the log already. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
}

export interface CompileOptions {
  timeoutMs: number;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** Memory of the compiler's thread in MB; the largest project surveyed took 400. */
const HEAP_MB = 1_500;
/** The compiler recurses over its input; MB of stack. */
const STACK_MB = 64;

async function requestOf(
  root: string,
  canister: MotokoCanister,
  onLine: (line: string) => void,
): Promise<CompileRequest> {
  if ((await readProjectFile(root, canister.main)) === null) {
    throw new ProjectFileError(
      `The main file ${canister.main} of ${canister.name} is not in the repository.`,
    );
  }
  const { flags, dropped } = filterFlags(canister.flags);
  for (const flag of dropped) onLine(`Flag ${flag} is not supported here and was left out.`);
  const packages = await findPackages(root);
  return {
    root,
    main: canister.main,
    sources: await listFiles(root, ['.mo', '.did']),
    attempts: flagAttempts(flags),
    packages: [...packages.folders],
    wanted: [...packages.wanted],
  };
}

/**
 * Compiles a Motoko canister in a thread of its own, which is ended at the time limit or when `signal` fires.
 * @throws ProjectFileError when the project's settings lead nowhere, CompileError when the sources do not compile.
 */
export async function compileMotoko(
  root: string,
  canister: MotokoCanister,
  options: CompileOptions,
): Promise<CompiledModule> {
  const request = await requestOf(root, canister, options.onLine);
  options.signal.throwIfAborted();
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: STACK_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<CompiledModule>();
  const seconds = Math.round(options.timeoutMs / 1000);
  const tooLong = new CompileError(`Compiling took longer than the limit of ${seconds} s.`);
  const timer = setTimeout(() => reject(tooLong), options.timeoutMs);
  const onAbort = (): void => reject(options.signal.reason);
  options.signal.addEventListener('abort', onAbort, { once: true });
  worker.on('message', (message: CompileMessage) => {
    if (message.kind === 'line') options.onLine(message.text);
    else if (message.kind === 'done') resolve(message.module);
    else
      reject(
        new CompileError(`The compiler found ${message.errors} error${message.errors === 1 ? '' : 's'}.`),
      );
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const reason = memory ? `it needed more than ${HEAP_MB} MB of memory` : error.message;
    reject(new CompileError(`The compiler stopped: ${reason}.`));
  });
  worker.on('exit', () => reject(new CompileError('The compiler ended without a result.')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
