import { Worker } from 'node:worker_threads';
import { CandidError } from '@cannery/candid';
import { type CandidRequest, type CandidResult, type CandidWork, doCandidWork } from './candid-work.ts';

/** Characters and bytes that are read on the spot, in some milliseconds; what is longer would keep other calls waiting. */
const SHORT = 10_000;
/** Memory of the thread in MB. */
const HEAP_MB = 512;
const TIMEOUT_MS = 20_000;
const TOO_LARGE = 'it is too large to be read';

/** One long text at a time: each may take all of the memory above. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does a piece of work on Candid texts: at once when they are short, else in a thread that is ended at a time limit.
 * @throws CandidError what the work throws, or that the texts are too large
 */
export async function onCandid<Name extends keyof CandidWork>(
  name: Name,
  ...input: Parameters<CandidWork[Name]>
): Promise<ReturnType<CandidWork[Name]>> {
  type Value = ReturnType<CandidWork[Name]>;
  const request = { name, input };
  if (sizeOf(input) <= SHORT) return doCandidWork(request) as Value;
  const work = last.then(() => inThread(request));
  last = work;
  const result = await work;
  if ('problem' in result) throw new CandidError(result.problem);
  return result.value as Value;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}

async function inThread(request: CandidRequest): Promise<CandidResult> {
  const worker = new Worker(new URL('./candid-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const { promise, resolve } = Promise.withResolvers<CandidResult>();
  const fail = (): void => resolve({ problem: TOO_LARGE });
  const timer = setTimeout(fail, TIMEOUT_MS);
  worker.on('message', (result: CandidResult) => resolve(result));
  worker.on('error', fail);
  worker.on('exit', fail);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
