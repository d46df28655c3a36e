import { CandidError, decodeEncoded, type ReadingLimits } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { LastingThread } from '../../thread/lasting-thread.ts';
import { ThreadError, ThreadRefusal } from '../../thread/run-in-thread.ts';
import { itemsOf, type ReplyItems, type ReplyKind } from './reply-kinds.ts';

/** Read within some milliseconds, on the thread that serves all: whatever the network says of one thing. */
const SMALL: ReadingLimits = { bytes: 16 * 1024, values: 4096, types: 1000 };
/** What a canister may reply with is 3 MB at most; a list of assets has some twenty bytes for each of its values. */
const LARGE: ReadingLimits = { bytes: 4 * 1024 * 1024, values: 600_000, types: 10_000 };
/** Memory of the thread that reads large replies, in MB: about twice of what the limits let through. */
const HEAP_MB = 96;
const TIMEOUT_MS = 10_000;

const thread = new LastingThread({
  module: new URL('./reply-worker.ts', import.meta.url),
  heapMegabytes: HEAP_MB,
  timeoutMs: TIMEOUT_MS,
});
/** No canister waits for more than one reply of each other. */
const turns = new FairSemaphore({ most: 1, perTenant: 1, waitingPerTenant: 1000, what: 'replies' });

/** What the thread is asked for. */
export interface ReplyQuestion {
  readonly kind: ReplyKind;
  readonly reply: Uint8Array;
  readonly limits: ReadingLimits;
}

/**
 * The first value of a reply that is small whoever made it.
 * @throws CandidError when it is of another type, or larger
 */
export function readSmall<T>(type: IDL.Type, reply: Uint8Array): T {
  return decodeEncoded(reply, [type], SMALL)[0] as T;
}

/**
 * Reads a reply of many parts that a canister may have made up: a small one here, a larger one in a thread.
 * @param source.canisterId whose turn it is
 * @param take is given the parts, a few at a time; what it throws ends the reading
 * @throws CandidError when the reply is of another type, or too large to be read; the signal's reason
 */
export async function readItems<Kind extends ReplyKind>(
  source: { kind: Kind; reply: Uint8Array; canisterId: string; signal?: AbortSignal | undefined },
  take: (items: readonly ReplyItems[Kind][]) => void,
): Promise<void> {
  const { kind, reply, canisterId, signal } = source;
  const all = readHere(kind, reply);
  if (all !== undefined) return take(all as ReplyItems[Kind][]);
  const question: ReplyQuestion = { kind, reply: Uint8Array.from(reply), limits: LARGE };
  let refusal: unknown;
  const onNote = (items: unknown): void => {
    if (refusal !== undefined) return;
    try {
      take(items as ReplyItems[Kind][]);
    } catch (error) {
      refusal = error;
    }
  };
  try {
    await turns.take(canisterId, () => thread.ask(question, { signal, onNote }), signal);
  } catch (error) {
    if (error instanceof ThreadRefusal) throw new CandidError(error.message);
    if (error instanceof ThreadError) throw new CandidError(`it cannot be read: ${error.message}`);
    throw error;
  }
  if (refusal !== undefined) throw refusal;
}

/** Undefined for a reply that is too large to be read here. */
function readHere(kind: ReplyKind, reply: Uint8Array): ReplyItems[ReplyKind][] | undefined {
  if (reply.length > SMALL.bytes) return undefined;
  try {
    return itemsOf(kind, reply, SMALL);
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    // Also what is of another type: the thread says so in the same words.
    return undefined;
  }
}
