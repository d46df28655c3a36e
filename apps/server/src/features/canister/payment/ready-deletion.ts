import type { AppContext } from '../../../context.ts';
import type { CanisterReport } from '../../../ic/management/canister-report.ts';
import { endIntent, findIntent, type Intent, noteReading } from './intents.ts';
import { type Missing, missingAfter } from '../core/refusals.ts';
import { deleteCanisterRow } from '../core/store.ts';

/** Whether nothing can leave the canister: it runs no message, and nobody but the console can change that. */
export function isSealed({ status, settings }: CanisterReport, console: string): boolean {
  return status === 'stopped' && settings.controllers.every((controller) => controller === console);
}

/**
 * Whether the console alone can make cycles leave the canister: nobody else controls it, and it runs no code. That stays so as
 * long as the console does nothing with it.
 */
export function isStill({ status, moduleHash, settings }: CanisterReport, console: string): boolean {
  const runsCode = status !== 'stopped' && moduleHash !== null;
  return !runsCode && settings.controllers.every((controller) => controller === console);
}

/** Whether it is still to be read what the canister of a deletion has, and to be made sure that it stays there. */
export function isUnread({ kind, cycles_before: read }: Intent): boolean {
  return kind === 'delete' && read === null;
}

/**
 * Makes the console the only controller of a canister, stops it, and writes down what the network certifies it to have then:
 * that is what its deletion pays back. Doing it again changes nothing. Where that cannot be done, the intent ends.
 * @returns the intent with its reading, or why there is nothing to delete
 * @throws AppError network_unavailable, or network_rejected with the network's reason
 */
export async function readyDeletion(ctx: AppContext, intent: Intent): Promise<Intent | Missing> {
  const { canister_id: id, user_id: userId } = intent;
  if (id === null) throw new Error(`The deletion ${intent.id} names no canister.`);
  try {
    const cycles = await sealedCycles(ctx, id);
    if (cycles !== 'lost')
      return await noteReading(ctx.db, intent, { cycles, call: await ctx.ic.signDelete(id) });
    return await leave(ctx, { intent, id, userId, as: 'lost' });
  } catch (error) {
    const missing = await missingAfter(ctx, id, error);
    if (missing === undefined) throw error;
    return leave(ctx, { intent, id, userId, as: missing });
  }
}

async function sealedCycles(ctx: AppContext, id: string): Promise<bigint | 'lost'> {
  const { principal } = ctx.ic;
  await ctx.ic.updateSettings(id, { controllers: [principal] });
  ctx.failpoint('delete.owned');
  let report = await ctx.ic.status(id);
  if (report.status !== 'stopped') {
    await ctx.ic.stop(id);
    report = await ctx.ic.status(id);
  }
  ctx.failpoint('delete.halted');
  return isSealed(report, principal) ? report.cycles : 'lost';
}

async function leave(
  ctx: AppContext,
  { intent, id, userId, as }: { intent: Intent; id: string; userId: string; as: Missing },
): Promise<Intent | Missing> {
  const hasLeft = await ctx.transact(async (tx) => {
    const ended = await endIntent(tx, intent);
    if (ended) await deleteCanisterRow(tx, { id, userId });
    return ended;
  });
  if (hasLeft) return as;
  // Somebody else has read what it pays back, and perhaps deleted it, which is why it is missing.
  return (await findIntent(ctx.db, intent.id)) ?? as;
}
