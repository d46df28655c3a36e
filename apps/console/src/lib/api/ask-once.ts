import { connection } from '../connection/this-connection.ts';
import { ApiError } from './api-error.ts';
import { randomKey } from './random-key.ts';

/**
 * For so long after an attempt without an answer the same request, made again, is the same one; milliseconds with a connection: who
 * tries again after an hour without one means the same request.
 */
const SAME_FOR_MS = 120_000;

interface OpenRequest {
  readonly key: string;
  readonly at: number;
}

/** Requests of which nobody knows whether they were carried out, by what they are for. */
const open = new Map<string, OpenRequest>();

/** How many offers to try again are on show. */
let holders = 0;

const isSame = ({ at }: OpenRequest, now: number): boolean => now - at < SAME_FOR_MS;

/**
 * Keeps the keys of requests that nobody knows the outcome of for as long as somebody is promised that a second try is the same request;
 * their two minutes begin when the last promise ends. Those that are over by now stay over.
 * @returns what ends it
 */
export function holdKeys(now: () => number = connection.connectedMs): () => void {
  if (holders === 0) {
    for (const [purpose, request] of open) if (!isSame(request, now())) open.delete(purpose);
  }
  holders += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holders -= 1;
    if (holders > 0) return;
    for (const [purpose, { key }] of open) open.set(purpose, { key, at: now() });
  };
}

/**
 * Makes a request under a key by which the service knows it again: where an attempt has brought no answer, the next one
 * for the same purpose gets the outcome of the first instead of paying, installing or submitting twice.
 * @param purpose what the request is for, with everything that makes it another one
 */
export async function askOnce<T>(
  purpose: string,
  ask: (key: string) => Promise<T>,
  now: () => number = connection.connectedMs,
): Promise<T> {
  const earlier = open.get(purpose);
  const isKnown = earlier !== undefined && (holders > 0 || isSame(earlier, now()));
  const key = isKnown ? earlier.key : randomKey();
  open.delete(purpose);
  try {
    return await ask(key);
  } catch (error) {
    if (isUndecided(error)) open.set(purpose, { key, at: now() });
    throw error;
  }
}

/** Whether the request may have been carried out in spite of the error. */
function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status >= 500 || error.code === 'canister_busy';
}
