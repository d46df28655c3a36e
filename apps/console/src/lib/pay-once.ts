import { ApiError } from './api-error.ts';

/** For so long after an attempt without an answer the same payment, asked for again, is the same one; milliseconds. */
const SAME_FOR_MS = 120_000;

interface OpenPayment {
  readonly key: string;
  readonly at: number;
}

/** Payments of which nobody knows whether they have happened, by what they are for. */
const open = new Map<string, OpenPayment>();

/**
 * Makes a payment under a key by which the service knows it again: where an attempt has brought no answer, the next one
 * for the same purpose gets the outcome of the first instead of paying twice.
 * @param purpose what the payment is for, with everything that makes it another one
 */
export async function payOnce<T>(
  purpose: string,
  pay: (key: string) => Promise<T>,
  now: () => number = Date.now,
): Promise<T> {
  const earlier = open.get(purpose);
  const key = earlier !== undefined && now() - earlier.at < SAME_FOR_MS ? earlier.key : randomKey();
  open.delete(purpose);
  try {
    return await pay(key);
  } catch (error) {
    if (isUndecided(error)) open.set(purpose, { key, at: now() });
    throw error;
  }
}

/** Whether the payment may have happened in spite of the error. */
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
