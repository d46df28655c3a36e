import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../../context.ts';
import type { OneStatement, Tx } from '../../../db/tx.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import type { SignedCall } from '../../../ic/replies/call-outcome.ts';
import { insufficient } from '../../account/holds.ts';
import { lockAccount } from '../../account/store.ts';
import { refuseWhileDeleted } from './being-deleted.ts';
import { findEarlierPayment, type PaymentRequest } from './earlier-payment.ts';
import { type Intent, insertPaidIntent, type NewIntent } from './intents.ts';

/**
 * Holds what a call costs and writes its intent, in one transaction.
 * @returns undefined when a request of the same key has been quicker: nothing is held then
 * @throws AppError insufficient_balance, or canister_busy where the action has lost its lease
 */
export async function intendPayment(
  ctx: AppContext,
  user: Actor,
  payment: PaymentRequest & { call: SignedCall } & Pick<
      NewIntent,
      'canisterName' | 'cyclesBefore' | 'deploy' | 'lease'
    >,
): Promise<Intent | undefined> {
  const { kind, key, cycles, canisterId } = payment;
  const intend = async (db: OneStatement): Promise<Intent> => {
    const intent = await insertPaidIntent(
      db,
      {
        kind,
        userId: user.id,
        holdId: randomUUID(),
        canisterId: canisterId ?? null,
        lease: payment.lease,
        canisterName: payment.canisterName,
        cycles,
        cyclesBefore: payment.cyclesBefore,
        deploy: payment.deploy,
        requestKey: key,
        call: payment.call,
      },
      kind === 'create' ? 'CANISTER_CREATE' : 'CANISTER_TOPUP',
    );
    if (intent === undefined) throw await insufficient(db, { userId: user.id, amount: cycles });
    return intent;
  };
  const { deploy } = payment;
  if (deploy !== undefined) {
    const ofDeploy = async (tx: Tx): Promise<Intent> => {
      await mustBeMissing(tx, deploy);
      return intend(tx);
    };
    return ctx.fence.pass(() => ctx.transact(ofDeploy));
  }
  if (key === undefined) return ctx.fence.pass(() => intend(ctx.db));
  const inTurn = async (tx: Tx): Promise<Intent | undefined> => {
    // Nobody else can begin or end a payment of this account from here on, so that the next statement sees them all.
    await lockAccount(tx, user.id);
    return (await findEarlierPayment(tx, user.id, key)) === undefined ? intend(tx) : undefined;
  };
  return ctx.fence.pass(() => ctx.transact(inTurn));
}

/**
 * Keeps a part of a deploy from being created twice, as by a run that stalled until another process had taken it over.
 * @throws AppError canister_busy where the canister is there, or is being created; deploy_busy where the deploy is being deleted
 */
async function mustBeMissing(tx: Tx, { id, part }: { id: string; part: string }): Promise<void> {
  // Whoever comes second waits here, and sees what the first has written. No creation begins from here on; one may still end.
  const deploy = await tx
    .selectFrom('deploys')
    .select(['deletion_id', 'deletion_expires_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // A run that was given up may wake up while the canisters of its deploy are being deleted.
  if (deploy !== undefined) refuseWhileDeleted(deploy);
  const created = tx
    .selectFrom('deploy_canisters')
    .select('deploy_id')
    .where('deploy_id', '=', id)
    .where('name', '=', part);
  const underWay = tx
    .selectFrom('intents')
    .select('deploy_id')
    .where('deploy_id', '=', id)
    .where('deploy_part', '=', part)
    .where('uncertain', 'is', null);
  // In this order: a creation that ends in between leaves its canister in place of its intent, in one commit.
  for (const one of [underWay, created])
    if ((await one.executeTakeFirst()) !== undefined)
      throw new AppError(
        'canister_busy',
        `Another run has created the canister of ${part}, or is creating it.`,
      );
}
