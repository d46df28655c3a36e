import type { RegistryModule, registryEndpoints, ResponseOf } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { findRegistry, registryAnswer } from './store.ts';
import { canistersOnModules, listVersions, type VersionModule } from './version-store.ts';

/**
 * A registry with its versions and the canisters that run them, as the console last saw those.
 * @throws AppError not_found, also for somebody else's registry
 */
export async function readRegistry(
  ctx: AppContext,
  user: Actor,
  { id }: { id: string },
): Promise<ResponseOf<typeof registryEndpoints.one>> {
  const row = await findRegistry(ctx.db, user.id, id);
  const versions = await listVersions(ctx.db, id);
  const modules = versions.map(({ identifier }) => identifier);
  const canisters = await canistersOnModules(ctx.db, user.id, modules);
  const running = Map.groupBy(canisters, ({ module_hash: hash }) => hash);
  return {
    ...registryAnswer(row),
    versions: versions.map(({ version, identifier, size, created_at }) => ({
      version,
      identifier,
      size: Number(size),
      created_at: created_at.toISOString(),
      canisters: (running.get(identifier) ?? []).map((canister) => ({
        id: canister.id,
        name: canister.name,
      })),
    })),
  };
}

/** What a version's module tells of itself, as the API answers it. */
export function moduleAnswer({
  unpacked_size,
  exports,
  candid,
  stable_types,
}: VersionModule): RegistryModule {
  return {
    unpacked_size: unpacked_size === null ? null : Number(unpacked_size),
    exports: [...(exports ?? [])],
    candid,
    stable_types,
  };
}
