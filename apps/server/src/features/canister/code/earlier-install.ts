import type { AppContext } from '../../../context.ts';
import { findKeptAnswer, hashOfRequest, type NamedRequest, otherRequest } from '../../../db/answer-once.ts';
import type { Reader } from '../../../db/tx.ts';
import { awaitOutcome, UNDER_WAY } from '../payment/await-outcome.ts';
import { findEarlierPayment } from '../payment/earlier-payment.ts';

/**
 * How far an earlier sending of the same installation is; undefined when there is none. A refused one has left nothing.
 * @throws AppError invalid_input when the key belongs to another request
 */
export async function findEarlierInstall(
  db: Reader,
  request: NamedRequest & { readonly key: string },
): Promise<'open' | 'done' | undefined> {
  // The intent first: the transaction that deletes it is the one that keeps the answer.
  const intent = await db
    .selectFrom('intents')
    .select('change')
    .where('user_id', '=', request.userId)
    .where('request_key', '=', request.key)
    .executeTakeFirst();
  if (intent !== undefined) {
    if (intent.change?.requestHash === hashOfRequest(request)) return 'open';
    throw otherRequest();
  }
  if ((await findKeptAnswer(db, request)) !== undefined) return 'done';
  const payment = await findEarlierPayment(db, request.userId, request.key);
  if (payment === undefined) return undefined;
  // An intent that was not there at the first look: perhaps that of this very request.
  if (payment.kind === 'install') return findEarlierInstall(db, request);
  throw otherRequest();
}

/**
 * Whether an earlier request of the same key has installed already; the end of one under way is waited for.
 * @throws AppError invalid_input when the key belongs to another request, network_unavailable when the outcome is not
 * known in time
 */
export async function awaitEarlierInstall(ctx: AppContext, request: NamedRequest): Promise<boolean> {
  const { key } = request;
  if (key === undefined) return false;
  return awaitOutcome(async () => {
    const earlier = await findEarlierInstall(ctx.db, { ...request, key });
    return earlier === 'open' ? UNDER_WAY : earlier === 'done';
  });
}
