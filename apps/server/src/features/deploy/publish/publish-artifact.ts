import { isDeepStrictEqual } from 'node:util';
import {
  type BreakingChoice,
  type HealthCall,
  type SettingsChange,
  settingsChange,
  settingsLimits,
} from '@cannery/contract';
import type { DeployCanisters } from '../../../builders/builder.ts';
import { ID_VARIABLE } from '../../../builders/source/aliases.ts';
import { BuildError } from '../../../builders/build-error.ts';
import { plainProblem } from '../../../http/plain-problem.ts';
import { notOurs } from '../../canister/core/refusals.ts';
import { updateSettings } from '../../canister/settings/update-settings.ts';
import { type BrokenInterface, BrokenInterfaceError, checkUpgrade } from './check-upgrade.ts';
import { HealthCallError, makeHealthCall, readyHealthCall } from './health-call.ts';
import type { PreparedCanister } from './prepare-canisters.ts';
import { publishModule } from './publish-module.ts';
import { type Publication, publishSite } from './publish-site.ts';
import { markOf, noteFilled } from '../store/run-marks.ts';
import { notePartKind } from '../store/store.ts';

/** Where a canister of the deploy can be looked at. */
export interface PublishedCanister {
  readonly name: string;
  readonly kind: 'site' | 'module';
  readonly address: string;
}

/**
 * Fills the canisters of a deploy, and makes the health call of its settings. Whatever can be refused before the first canister
 * is changed is refused then, also a canister that others have taken from the console.
 * @throws BrokenInterfaceError, HealthCallError, BuildError for an upgrade that would lose data, AppError of creating, configuring and installing
 */
export async function publishArtifact(
  publication: Publication,
  {
    prepared,
    canisters,
    breakingChanges,
    isPart,
  }: {
    prepared: readonly PreparedCanister[];
    canisters: DeployCanisters;
    breakingChanges: BreakingChoice;
    /** Whether other canisters of the project stay as they are. */
    isPart: boolean;
  },
): Promise<PublishedCanister[]> {
  const { ctx, deploy, say, signal } = publication;
  say(prepared.some(({ kind }) => kind === 'site') ? '==> Publishing' : '==> Installing', 'publish');
  const call = isPart ? callOfPart(publication, prepared) : deploy.settings.health_call;
  const health = call === null ? null : await readyHealthCall(call, prepared);
  // Before any canister is paid for. What a canister lets the console do may outlast its control: the permission to put files into a site does.
  for (const { name } of prepared) {
    const canisterId = canisters.existing.get(name);
    if (canisterId !== undefined && (await ctx.ic.certified(canisterId)).standing === 'lost')
      throw notOurs(canisterId);
  }
  // Those that stay are told to the others all the same.
  const ids = new Map(isPart ? canisters.existing : []);
  for (const { name } of prepared) {
    signal.throwIfAborted();
    ids.set(name, await canisters.idOf(name));
  }
  const broken: BrokenInterface[] = [];
  for (const one of prepared) {
    if (one.kind !== 'module') continue;
    const canisterId = await canisters.idOf(one.name);
    const found = await checkUpgrade(publication, { name: one.name, canisterId, wasm: one.wasm });
    if (found !== null) broken.push(found);
  }
  if (broken.length > 0 && breakingChanges !== 'publish') throw new BrokenInterfaceError(broken);
  for (const { name, reasons } of broken) {
    say(`Warning: callers of ${name} that expect its current interface may fail:`);
    for (const reason of reasons) say(`  ${reason}`);
  }
  const published: PublishedCanister[] = [];
  const staying: string[] = [];
  for (const one of prepared) {
    const canisterId = await canisters.idOf(one.name);
    await configure(publication, { ...one, canisterId, ids });
    let address: string;
    if (one.kind === 'site') {
      address = await publishSite(publication, { ...one, canisterId });
      staying.push(`${one.name} (a website)`);
    } else {
      const module = await publishModule(publication, { ...one, canisterId });
      ({ address } = module);
      if (module.wayBack !== 'snapshot') staying.push(`${one.name} (${whyItStays[module.wayBack]})`);
    }
    const filled = { deployId: deploy.id, canisterId };
    await ctx.transact(async (tx) => {
      // The canister first, as whoever deletes it does.
      if (one.kind === 'site')
        await noteFilled(tx, { ...filled, by: await markOf(tx, publication.instanceId) });
      await notePartKind(tx, { ...filled, kind: one.kind });
    });
    published.push({ name: one.name, kind: one.kind, address });
  }
  if (health !== null) {
    await makeHealthCall(publication, health, await canisters.idOf(health.canister)).catch(
      (error: unknown) => {
        if (!(error instanceof HealthCallError) || staying.length === 0) throw error;
        throw new HealthCallError(`${error.message} What cannot go back stays: ${staying.join(', ')}.`);
      },
    );
  }
  return published;
}

/** The health call of the settings, unless what it calls is no part of the run. */
function callOfPart({ deploy, say }: Publication, prepared: readonly PreparedCanister[]): HealthCall | null {
  const { health_call: call } = deploy.settings;
  if (call === null || prepared.some(({ name, kind }) => kind === 'module' && name === call.canister.trim()))
    return call;
  say('The health call of the settings is left out: its canister is not among those that this run deploys.');
  return null;
}

const whyItStays = { new: 'its first code', none: 'no snapshot' } as const;

/**
 * Applies the project's settings, and tells each canister the ids of the others by environment variables, as icp-cli
 * does. Nothing is sent when they are so already.
 */
async function configure(
  { ctx, user, say }: Publication,
  {
    name,
    settings,
    canisterId,
    ids,
  }: PreparedCanister & { canisterId: string; ids: ReadonlyMap<string, string> },
): Promise<void> {
  const others =
    ids.size > 1 ? [...ids].map(([other, id]) => ({ name: `${ID_VARIABLE}${other}`, value: id })) : [];
  const variables = [...(settings.environment_variables ?? []), ...others];
  const most = settingsLimits.environmentVariables;
  if (variables.length > most)
    say(`${name} gets ${most} of ${variables.length} environment variables, which is the limit.`);
  const wanted: SettingsChange = {
    ...settings,
    ...(variables.length === 0 ? {} : { environment_variables: variables.slice(0, most) }),
  };
  if (Object.keys(wanted).length === 0) return;
  const checked = settingsChange.safeParse(wanted, { error: plainProblem });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new BuildError(
      `The settings of ${name} cannot be applied: ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }
  const { settings: now } = await ctx.ic.status(canisterId);
  const same = Object.entries(checked.data).every(([key, value]) =>
    isSame(now[key as keyof typeof now], value),
  );
  if (same) return;
  await updateSettings(ctx, user, { canisterId, settings: checked.data, giveUpControl: false });
  say(`Settings of ${name}: ${Object.keys(checked.data).join(', ')}.`);
}

/** Whether a setting is as wanted. Environment variables and principals have no order. */
function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return isDeepStrictEqual(a, b);
  return a.length === b.length && a.every((one) => b.some((other) => isDeepStrictEqual(one, other)));
}
