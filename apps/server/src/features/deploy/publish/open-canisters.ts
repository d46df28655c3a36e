import { setTimeout as delay } from 'node:timers/promises';
import { formatTrillions } from '@cannery/contract';
import type { DeployCanisters } from '../../../builders/builder.ts';
import type { Actor, AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { NETWORK_PATIENCE_MS } from '../../../ic/agent/patience.ts';
import { checkCreations } from '../../canister/lifecycle/check-creations.ts';
import { createCanister } from '../../canister/lifecycle/create-canister.ts';
import { creationCost } from '../store/starting-cycles.ts';
import { canistersOf, type DeployRow, isCreationOpen, nameCanister } from '../store/store.ts';

/** How long a run waits for the creation that an earlier run of the deploy has begun: for the network, and until the creation is ended then. */
const PATIENCE_MS = NETWORK_PATIENCE_MS + 30_000;
const POLL_MS = 250;
/** Characters of a canister's name in the console. */
const TITLE_LENGTH = 100;

/**
 * The canisters a deploy fills: those of its earlier runs, and new ones. A creation belongs to its deploy from the intent on,
 * so whatever becomes of the run that began it, no second one is paid for: a canister that has no name yet is the first of
 * `names` that has none.
 * @param names of the canisters of the project; a project of one canister calls it like the deploy in the console
 * @throws AppError insufficient_balance when the account cannot pay for all that are missing
 */
export async function openCanisters(
  ctx: AppContext,
  user: Actor,
  deploy: DeployRow,
  { names, signal, say }: { names: readonly string[]; signal?: AbortSignal; say(line: string): void },
): Promise<DeployCanisters> {
  await awaitOpenCreation(ctx, deploy.id, { say, ...(signal !== undefined && { signal }) });
  const existing = await knownCanisters(ctx, deploy.id, names);
  const missing = names.filter((name) => !existing.has(name));
  const costs = missing.map((name) => creationCost(ctx, deploy, name));
  await checkCreations(ctx, user, costs);
  if (missing.length > 0 && names.length > 1) {
    const cost = formatTrillions(costs.reduce((sum, one) => sum + one, 0n));
    say(`${missing.length} of ${names.length} canisters are new and will be created for ${cost} cycles.`);
  }
  const created = new Map(existing);
  return {
    existing,
    async idOf(name) {
      const known = created.get(name);
      if (known !== undefined) return known;
      const title = names.length > 1 ? `${deploy.name}/${name}`.slice(0, TITLE_LENGTH) : deploy.name;
      const cycles = creationCost(ctx, deploy, name);
      const isUsual = cycles === ctx.config.canisterCreateCost;
      say(`Creating a canister named '${title}'${isUsual ? '' : ` with ${formatTrillions(cycles)}`}`);
      const part = { id: deploy.id, part: name };
      const { id } = await createCanister(ctx, user, { name: title, deploy: part, cycles });
      created.set(name, id);
      say(`Canister ${id} is created.`);
      return id;
    },
  };
}

/** Ids by name. Canisters that have no name yet get the first ones that no other has. */
async function knownCanisters(
  ctx: AppContext,
  deployId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = (await canistersOf(ctx.db, [deployId])).get(deployId) ?? [];
  const known = new Map(
    rows.flatMap(({ name, canisterId }) => (name === null ? [] : [[name, canisterId] as const])),
  );
  const free = names.filter((name) => !known.has(name));
  for (const { canisterId } of rows.filter((row) => row.name === null)) {
    const name = free.shift();
    if (name === undefined) break;
    await ctx.transact((tx) => nameCanister(tx, { deployId, canisterId, name }));
    known.set(name, canisterId);
  }
  return known;
}

async function awaitOpenCreation(
  ctx: AppContext,
  deployId: string,
  { say, ...ending }: { say: (line: string) => void; signal?: AbortSignal },
): Promise<void> {
  if (!(await isCreationOpen(ctx.db, deployId))) return;
  say('Waiting for the canister that an earlier run has begun to create');
  for (
    const giveUpAt = performance.now() + PATIENCE_MS;
    await isCreationOpen(ctx.db, deployId);
    await delay(POLL_MS, undefined, ending)
  ) {
    if (performance.now() < giveUpAt) continue;
    throw new AppError(
      'network_unavailable',
      'The network has not answered yet whether it has created the canister of an earlier run.',
    );
  }
}
