import { connection } from '../connection/this-connection.ts';
import { ApiError } from './api-error.ts';

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
  const key = earlier !== undefined && now() - earlier.at < SAME_FOR_MS ? earlier.key : randomKey();
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

/** Not `randomUUID`, which browsers have on secure origins only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
