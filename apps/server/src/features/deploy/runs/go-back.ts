import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, AppContext } from '../../../context.ts';
import type { Reader } from '../../../db/tx.ts';
import { AppError, isNetworkAway } from '../../../errors.ts';
import { NetworkGivenUpError } from '../../../ic/agent/patience.ts';
import { runAction } from '../../canister/core/run-action.ts';
import { type EndedChange, endChange } from '../../canister/change/end-change.ts';
import { type RunRow, noteGoingBack } from '../store/run-store.ts';
import { MAX_CRASHES } from '../store/queue.ts';
import { beginReturns, changesOf, cutOffIn, type RunChange, runCause } from '../store/run-changes.ts';

/** How long a run waits for another action on a canister. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 250;

/** What a run needs for it. */
export interface GoingBack {
  readonly ctx: AppContext;
  readonly user: Actor;
  readonly instance: RunRow;
  say(line: string): void;
}

/**
 * Puts everything that a failed run has upgraded back to its snapshot, the last first. The reason is on disk before that, so
 * that a run whose worker dies in between goes on with it.
 * @param lastLine why the run has failed
 * @returns the last line of the log: the reason, and what has become of each canister
 * @throws LostRunError, a database error
 */
export async function goBack({ ctx, user, instance, say }: GoingBack, lastLine: string): Promise<string> {
  const upgrades = await changesOf(ctx.db, instance.id);
  if (upgrades.length === 0) return lastLine;
  // Going back itself may be what ends the server.
  if (instance.crashes > MAX_CRASHES) return `${lastLine}${remainsOf(upgrades)}`;
  ctx.failpoint('deploy.checked');
  await ctx.transact(async (tx) => {
    await noteGoingBack(tx, instance, lastLine);
    await beginReturns(tx, instance.id);
  });
  ctx.failpoint('deploy.returning');
  say(`==> Going back: ${upgrades.map(({ name }) => name).join(', ')}`);
  const returned: string[] = [];
  const others: string[] = [];
  for (const upgrade of upgrades.toReversed()) {
    const { name } = upgrade;
    const text = await outcomeOf(ctx, user, upgrade);
    if (text === null) returned.push(name);
    else others.push(text);
    say(text ?? `${name} is back: code and data are as before the run.`);
  }
  ctx.failpoint('deploy.returned');
  const live = returned.length === 0 ? '' : ` The former version is live again: ${returned.join(', ')}.`;
  return [`${lastLine}${live}`, ...others].join(' ');
}

/** Sees to it that no canister of a deploy is in the middle of the upgrade of an earlier attempt or run. */
export async function endCutOff(ctx: AppContext, user: Actor, deployId: string): Promise<void> {
  for (const canisterId of await cutOffIn(ctx.db, deployId)) await endPatiently(ctx, user, canisterId);
}

/** What is left of the upgrades of a run that ends without going back; empty where there is nothing to say. */
export async function remainsText(db: Reader, instanceId: string): Promise<string> {
  return remainsOf(await changesOf(db, instanceId));
}

function remainsOf(upgrades: readonly RunChange[]): string {
  const sentences = upgrades
    .filter(({ phase }) => phase === 'upgraded')
    .map((upgrade) => ` ${upgrade.name} stays upgraded. ${wayBack(upgrade)}`);
  return sentences.join('');
}

const wayBack = ({ snapshot_id: id }: RunChange): string =>
  `Its state before the run is in its snapshot ${id}: stop it on its page, restore that snapshot, and start it.`;

/** Null when the canister is as before the run. */
async function outcomeOf(ctx: AppContext, user: Actor, upgrade: RunChange): Promise<string | null> {
  const { canister_id: id, name } = upgrade;
  try {
    const ended = await endPatiently(ctx, user, id);
    if (ended?.outcome === 'changed by others')
      return `${name} was changed by somebody else and stays as it is.`;
    if (ended?.outcome === 'upgraded') return `${name} could not be put back. ${wayBack(upgrade)}`;
    if (ended?.startFailure === undefined) return null;
    return `${name} is as it was, but does not run: ${reasonOf(ended.startFailure)} Start it on its page.`;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return `${name} is gone.`;
    if (isBusyOrAway(error)) {
      return `${name} could not be put back yet (${reasonOf(error)}); the server does so as soon as that is possible. ${wayBack(upgrade)}`;
    }
    return `${name} could not be put back and has the new code: ${reasonOf(error)} ${wayBack(upgrade)}`;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'something went wrong on the server.';
}

const isBusyOrAway = (error: unknown): boolean =>
  isNetworkAway(error) || (error instanceof AppError && error.code === 'canister_busy');

async function endPatiently(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
): Promise<EndedChange | undefined> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await delay(RETRY_MS)) {
    try {
      return await runAction(ctx, user, canisterId, (claimed) => endChange(ctx, user, claimed, runCause), {
        endsChange: true,
      });
    } catch (error) {
      const isOver = error instanceof NetworkGivenUpError || performance.now() > giveUpAt;
      if (!isBusyOrAway(error) || isOver) throw error;
    }
  }
}
