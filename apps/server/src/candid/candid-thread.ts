import { CandidError } from '@cannery/candid';
import { runInThread, ThreadError, ThreadRefusal } from '../thread/run-in-thread.ts';
import { type CandidWork, doCandidWork } from './candid-work.ts';

/** Characters and bytes that are read on the spot, in some milliseconds; what is longer would keep other calls waiting. */
const SHORT = 10_000;
/** Work whose result may be far longer than what it is made of. */
const NEVER_ON_THE_SPOT: ReadonlySet<keyof CandidWork> = new Set(['readReply']);
/** Memory of the thread in MB. */
const HEAP_MB = 512;
const TIMEOUT_MS = 20_000;

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
  if (sizeOf(input) <= SHORT && !NEVER_ON_THE_SPOT.has(name)) return doCandidWork(request) as Value;
  const work = last.then(() =>
    runInThread<Value>({
      module: new URL('./candid-worker.ts', import.meta.url),
      request,
      heapMegabytes: HEAP_MB,
      timeoutMs: TIMEOUT_MS,
    }),
  );
  last = work.catch(() => undefined);
  try {
    return await work;
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new CandidError(error.message);
    if (!(error instanceof ThreadError)) throw error;
    throw new CandidError('it is too large to be read');
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}
