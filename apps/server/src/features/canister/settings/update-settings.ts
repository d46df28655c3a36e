import {
  type CanisterDetails,
  type CanisterSettings,
  eachAmount,
  settingAmounts,
  type SettingsChange,
} from '@cannery/contract';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { recordStatus } from '../balance/record-status.ts';
import { missingAfter } from '../core/refusals.ts';
import { detailsOf } from '../core/read-canister.ts';
import { runAction } from '../core/run-action.ts';
import { checkedSettings } from './check-settings.ts';

/** Longest sentence that the history keeps. */
const LONGEST = 2_000;

const titles: Readonly<Record<keyof CanisterSettings, string>> = {
  controllers: 'controllers',
  ...eachAmount((name) => settingAmounts[name].noted),
  log_visibility: 'log visibility',
  snapshot_visibility: 'snapshot visibility',
  status_visibility: 'status visibility',
  environment_variables: 'environment variables',
};

/** The settings that a change really alters, with old and new values; null when it alters none. */
function describeSettings(before: CanisterSettings, change: SettingsChange): string | null {
  const parts: string[] = [];
  for (const name of Object.keys(titles) as (keyof CanisterSettings)[]) {
    if (change[name] === undefined) continue;
    const after = { ...before, ...change };
    const [from, to] = [valueText(name, before), valueText(name, after)];
    if (from !== to) parts.push(`${titles[name]}: ${from} → ${to}`);
    else if (name === 'environment_variables' && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      parts.push(`${titles[name]}: new values`);
  }
  if (parts.length === 0) return null;
  const text = parts.join('; ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Values of environment variables are not told: they may be secret. */
function valueText(name: keyof CanisterSettings, settings: CanisterSettings): string {
  switch (name) {
    case 'controllers':
      return listText(settings.controllers.toSorted());
    case 'environment_variables':
      return listText(settings.environment_variables.map((variable) => variable.name));
    case 'log_visibility':
    case 'snapshot_visibility':
    case 'status_visibility': {
      const value = settings[name];
      return typeof value === 'string' ? value : listText(value.allowed_viewers.toSorted());
    }
    default:
      return settings[name];
  }
}

function listText(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.join(', ');
}

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
