import type { Actor, AppContext } from '../../context.ts';
import { findKeptAnswer, hashOfRequest, type NamedRequest, otherRequest } from '../../db/answer-once.ts';
import { AppError } from '../../errors.ts';
import { awaitOutcome, UNDER_WAY } from '../canister/payment/await-outcome.ts';
import { findEarlierPayment } from '../canister/payment/earlier-payment.ts';
import { runAction } from '../canister/core/run-action.ts';
import { switchRunning } from '../canister/lifecycle/set-running.ts';
import type { CanisterRow } from '../canister/core/store.ts';
import { endVersionChange } from './end-version-change.ts';
import { findRequestedChange, insertVersionChange, type PlannedChange } from './version-change-store.ts';

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
  /** Decides what is to be done, once no other action can run on the canister; undefined for nothing. */
  plan(canister: CanisterRow): Promise<ChangePlan | undefined>;
}

interface ChangePlan {
  readonly change: PlannedChange;
  /** Changes the stopped canister. */
  work(): Promise<void>;
}

/**
 * Changes a canister while it is stopped. It runs again afterwards if it ran before, however the work ends, and also when
 * this process dies in between: the change is on disk before the canister stops. The same request under the same key is
 * carried out once.
 * @throws AppError what stopping, the work and starting throw, invalid_input for the key of another request
 */
export async function changeVersion(ctx: AppContext, user: Actor, input: ChangeInput): Promise<void> {
  const { canisterId, request } = input;
  if (await awaitEarlierChange(ctx, request)) return;
  await runAction(ctx, user, canisterId, async (canister) => {
    // An earlier sending of it may have ended before the canister was claimed.
    if ((await findKeptAnswer(ctx.db, request)) !== undefined) return;
    const plan = await input.plan(canister);
    if (plan === undefined) return;
    const { change } = plan;
    const { status } = await ctx.ic.status(canisterId);
    const wasRunning = status === 'running';
    await ctx.transact((tx) => insertVersionChange(tx, { ...change, canisterId, wasRunning, request }));
    ctx.failpoint(`${change.kind}.begun`);
    try {
      if (status !== 'stopped') await switchRunning(ctx, user, canisterId, false);
      ctx.failpoint(`${change.kind}.stopped`);
      await plan.work();
    } catch (error) {
      await endVersionChange(ctx, user, canisterId).catch((reason: unknown) => {
        ctx.log.warn({ err: reason, canisterId }, 'A change of version is ended later');
      });
      throw error;
    }
    const ended = await endVersionChange(ctx, user, canisterId);
    ctx.failpoint(`${change.kind}.ended`);
    if (ended?.startFailure !== undefined) throw ended.startFailure;
    if (ended?.isDone === true) return;
    throw new AppError('network_rejected', 'Somebody else has changed the code of the canister meanwhile.');
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
