import type { RegistryModule, registryEndpoints, ResponseOf } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { learnFacts } from '../document/learn-facts.ts';
import { findRegistry, registryAnswer } from './store.ts';
import { canistersOfRegistry, findVersion, listVersions } from './version-store.ts';

/**
 * A registry with its versions and the canisters that were filled from them, as the console last saw those.
 * @throws AppError not_found, also for somebody else's registry
 */
export async function readRegistry(
  ctx: AppContext,
  user: Actor,
  { id }: { id: string },
): Promise<ResponseOf<typeof registryEndpoints.one>> {
  const row = await findRegistry(ctx.db, user.id, id);
  const versions = await listVersions(ctx.db, id);
  const canisters = await canistersOfRegistry(ctx.db, user.id, id);
  const running = Map.groupBy(canisters, ({ version }) => version);
  return {
    ...registryAnswer(row),
    versions: versions.map(({ version, identifier, size, created_at }) => ({
      version,
      identifier,
      size: Number(size),
      created_at: created_at.toISOString(),
      canisters: (running.get(version) ?? []).map((canister) => ({
        id: canister.id,
        name: canister.name,
      })),
    })),
  };
}

/**
 * What a version's module tells of itself.
 * @throws AppError not_found, also for a version of somebody else's registry
 */
export async function readVersion(
  ctx: AppContext,
  user: Actor,
  version: { id: string; version: number },
): Promise<RegistryModule> {
  const facts = await learnFacts(ctx, user, await findVersion(ctx.db, user.id, version));
  return {
    unpacked_size: facts === undefined ? null : Number(facts.unpackedSize),
    exports: [...(facts?.exports ?? [])],
    candid: facts?.candid ?? null,
    stable_types: facts?.stableTypes ?? null,
  };
}
