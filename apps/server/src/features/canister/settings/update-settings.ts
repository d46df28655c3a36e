import type { CanisterDetails, SettingsChange } from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { checkedSettings } from './check-settings.ts';
import { describeSettings } from './describe-settings.ts';
import { missingAfter } from '../core/missing-after.ts';
import { detailsOf } from '../core/read-details.ts';
import { recordStatus } from '../balance/record-status.ts';
import { runAction } from '../core/run-action.ts';

/**
 * Changes settings of a canister; what is absent stays as it is.
 * @param input.giveUpControl lets the console itself be removed from the controllers
 * @throws AppError invalid_input before anything is sent, network_rejected with the network's own reason
 */
export async function updateSettings(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; settings: SettingsChange; giveUpControl: boolean },
): Promise<CanisterDetails> {
  const { principal } = ctx.ic;
  return runAction(ctx, user, input.canisterId, async ({ id }) => {
    const change = checkedSettings(input.settings, { console: principal, giveUp: input.giveUpControl });
    const before = await ctx.ic.status(id);
    await ctx.ic.updateSettings(id, change);
    const settings = { ...before.settings, ...change };
    const detail = describeSettings(before.settings, change) ?? 'Saved without changes.';
    const done = {
      known: { controllers: settings.controllers.toSorted() },
      change: { kind: 'settings', detail },
    } as const;
    const after = await ctx.ic.status(id).catch(async (error: unknown) => {
      await recordStatus(ctx, user, id, done);
      // A console that has given up control is told nothing any more.
      if ((await missingAfter(ctx, id, error)) === 'lost') return undefined;
      throw error;
    });
    if (after !== undefined) await recordStatus(ctx, user, id, { ...done, report: after });
    const report = after ?? { ...before, settings };
    return detailsOf(report, { id, consolePrincipal: principal });
  });
}
