import type { Actor, AppContext } from '../../context.ts';
import { findKeptAnswer, hashOfRequest, type NamedRequest, otherRequest } from '../../db/answer-once.ts';
import { AppError } from '../../errors.ts';
import { findRequestedChange } from '../canister/change/change-store.ts';
import { runAction } from '../canister/core/run-action.ts';
import type { CanisterRow } from '../canister/core/store.ts';
import { awaitOutcome, UNDER_WAY } from '../canister/payment/await-outcome.ts';
import { findEarlierPayment } from '../canister/payment/earlier-payment.ts';

/**
 * What is known of a canister may be of a moment ago; the network's word counts.
 * @param consequence what follows where its code is another one, such as 'the dapp has no updates for it'
 * @throws AppError not_found where it is
 */
export async function expectCode(
  { ic }: Pick<AppContext, 'ic'>,
  canister: { readonly id: string; readonly moduleHash: string | null },
  consequence: string,
): Promise<void> {
  if ((await ic.moduleHash(canister.id)) === canister.moduleHash) return;
  throw new AppError(
    'not_found',
    `The code of the canister was changed outside the console, so ${consequence}.`,
  );
}

/** A change of an installed dapp from one version to another. */
export interface ChangeInput {
  readonly canisterId: string;
  readonly request: NamedRequest;
  /** Carries it out, once no other action can run on the canister; does nothing when there is nothing to do. */
  change(canister: CanisterRow, fields: RequestFields): Promise<void>;
}

/** How a change names the request that it is for. */
interface RequestFields {
  readonly request_key: string | null;
  readonly request_hash: string | null;
}

/**
 * Changes the version of a canister: the same request under the same key is carried out once.
 * @throws AppError what the change throws, invalid_input for the key of another request
 */
export async function changeVersion(ctx: AppContext, user: Actor, input: ChangeInput): Promise<void> {
  const { canisterId, request } = input;
  if (await awaitEarlierChange(ctx, request)) return;
  const { key } = request;
  const fields = {
    request_key: key ?? null,
    request_hash: key === undefined ? null : hashOfRequest(request),
  };
  await runAction(ctx, user, canisterId, async (canister) => {
    // An earlier sending of it may have ended before the canister was claimed.
    if ((await findKeptAnswer(ctx.db, request)) === undefined) await input.change(canister, fields);
  });
}

/**
 * Whether an earlier request of the same key has been carried out; the end of one under way is waited for.
 * @throws AppError invalid_input when the key belongs to another request, network_unavailable when the outcome is not
 * known in time
 */
async function awaitEarlierChange(ctx: AppContext, request: NamedRequest): Promise<boolean> {
  const { key, userId } = request;
  if (key === undefined) return false;
  return awaitOutcome(async () => {
    // What is under way first: the transaction that deletes it is the one that keeps the answer.
    const open = await findRequestedChange(ctx.db, { userId, key });
    if (open === undefined) {
      if ((await findKeptAnswer(ctx.db, request)) !== undefined) return true;
      if ((await findEarlierPayment(ctx.db, userId, key)) !== undefined) throw otherRequest();
      return false;
    }
    if (open.request_hash !== hashOfRequest(request)) throw otherRequest();
    return UNDER_WAY;
  });
}
