import { ApiError, isLost, serverText } from '../../../lib/api/api-error.ts';

/** Actions that are under way at a time: the service lets a user have some, and a browser has six connections. */
const AT_ONCE = 3;
/** Tries of a call that came too often, and the first pause between two, in milliseconds; it doubles. */
const RATE_TRIES = 6;
const RATE_PAUSE_MS = 2_000;
const TOO_OFTEN = 429;

/** An action that did not succeed, or was not begun since another one has got no answer. */
export interface BulkFailure {
  readonly id: string;
  readonly reason: string;
}

export interface BulkOutcome {
  readonly done: readonly string[];
  readonly failures: readonly BulkFailure[];
}

interface BulkParts {
  readonly act: (id: string) => Promise<unknown>;
  /** Told of each action that is over. */
  readonly onProgress: (over: number) => void;
  /** Aborted, nothing more is begun; what is not begun is neither done nor failed. */
  readonly signal: AbortSignal;
  readonly pause?: (ms: number) => Promise<void>;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Does one thing to many, some at a time. What fails is told one by one and keeps nothing else from being done; only when the service
 * does not answer is the rest left for later.
 */
export async function runBulk(
  ids: readonly string[],
  { act, onProgress, signal, pause = wait }: BulkParts,
): Promise<BulkOutcome> {
  const left = [...ids];
  const done: string[] = [];
  const failures: BulkFailure[] = [];
  let isAway = false;

  /** @returns whether it was done; not when the rest was cut off while it waited for its turn */
  async function patiently(id: string): Promise<boolean> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await act(id);
        return true;
      } catch (error) {
        const cameTooOften = error instanceof ApiError && error.status === TOO_OFTEN;
        if (!cameTooOften || tries === RATE_TRIES) throw error;
        await pause(RATE_PAUSE_MS * 2 ** (tries - 1));
      }
    }
    return false;
  }
  async function work(): Promise<void> {
    for (let id = left.shift(); id !== undefined && !signal.aborted; id = left.shift()) {
      try {
        if (isAway) failures.push({ id, reason: 'Not begun: the service did not answer.' });
        else if (await patiently(id)) done.push(id);
      } catch (error) {
        if (isLost(error)) isAway = true;
        failures.push({ id, reason: serverText(error) });
      }
      onProgress(done.length + failures.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const place = new Map(ids.map((id, at) => [id, at]));
  return { done, failures: failures.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)) };
}
