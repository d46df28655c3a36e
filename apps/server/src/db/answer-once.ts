import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { keepLatest } from './keep-latest.ts';
import type { Reader, Tx } from './tx.ts';

/** How long an answer is kept for the same request sent again: a day, as it is usual for such keys. */
const KEPT_MS = 24 * 60 * 60_000;
/** Answers kept of one user; of more, the oldest are forgotten before their day is over. */
export const MOST_KEPT = 10_000;
/** One request in this number looks for more than these. */
const LOOKS_ONE_IN = 50;

/** A request as its sender names it. */
export interface NamedRequest {
  readonly userId: string;
  /** What the client calls the request; without a name it is carried out each time. */
  readonly key: string | undefined;
  /** All that makes the request this one and no other. */
  readonly content: readonly (string | null)[];
}

/** What tells a request from every other one under the same key. */
export function hashOfRequest({ content }: NamedRequest): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The key of a request was used for another one before. */
export function otherRequest(): AppError {
  return new AppError('invalid_input', 'This Idempotency-Key belongs to another request.');
}

/**
 * The answer that was kept for a request; undefined when there is none.
 * @throws AppError invalid_input for the key of another request
 */
export async function findKeptAnswer(db: Reader, request: NamedRequest): Promise<string | undefined> {
  if (request.key === undefined) return undefined;
  const kept = await keptAnswer(db, request.userId, request.key);
  if (kept === undefined || kept.request_hash === hashOfRequest(request)) return kept?.answer;
  throw otherRequest();
}

/** Keeps the answer of a request that has just been carried out. */
export async function keepAnswer(
  tx: Tx,
  kept: { userId: string; key: string; hash: string; answer: string },
): Promise<void> {
  await tx
    .insertInto('kept_answers')
    .values({ user_id: kept.userId, request_key: kept.key, request_hash: kept.hash, answer: kept.answer })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Does a piece of work for a request once: the same request under the same key gets the first answer, also when both
 * come at once. What the work writes and the answer are one transaction, so a request that fails leaves neither.
 * @throws AppError invalid_input for the key of another request, and what the work throws
 */
export async function answerOnce(
  tx: Tx,
  request: NamedRequest,
  work: () => Promise<string>,
): Promise<string> {
  const { userId, key } = request;
  if (key === undefined) return work();
  const hash = hashOfRequest(request);
  await tx
    .deleteFrom('kept_answers')
    .where('user_id', '=', userId)
    .where('created_at', '<', new Date(Date.now() - KEPT_MS))
    .execute();
  if (Math.random() * LOOKS_ONE_IN < 1) await forgetOldest(tx, userId);
  // A request of the same key that is under way has inserted its row: this waits until it has ended.
  const taken = await tx
    .insertInto('kept_answers')
    .values({ user_id: userId, request_key: key, request_hash: hash, answer: '' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('request_key')
    .executeTakeFirst();
  if (taken === undefined) {
    const kept = await keptAnswer(tx, userId, key);
    if (kept?.request_hash === hash) return kept.answer;
    throw otherRequest();
  }
  const answer = await work();
  await tx
    .updateTable('kept_answers')
    .set({ answer })
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .execute();
  return answer;
}

/** Forgets the answers of a user beyond {@link MOST_KEPT}. */
export async function forgetOldest(tx: Tx, userId: string): Promise<void> {
  await keepLatest(tx, 'kept_answers', { owner: 'user_id', of: userId, by: 'created_at', most: MOST_KEPT });
}

function keptAnswer(
  db: Reader,
  userId: string,
  key: string,
): Promise<{ request_hash: string; answer: string } | undefined> {
  return db
    .selectFrom('kept_answers')
    .select(['request_hash', 'answer'])
    .where('user_id', '=', userId)
    .where('request_key', '=', key)
    .executeTakeFirst();
}
