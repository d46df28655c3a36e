import { CandidError } from '@cannery/candid';
import type { RegistryComparison, registryEndpoints, RegistryModule, ResponseOf } from '@cannery/contract';
import { onCandid } from '../../candid/candid-thread.ts';
import { compareCandid, compareData } from '../../candid/compare-modules.ts';
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

/**
 * What changes for callers and data when a canister goes from one version of a registry to another.
 * @throws AppError not_found, also for somebody else's registry
 */
export async function compareVersions(
  ctx: AppContext,
  user: Actor,
  { id, from, to }: { id: string; from: number; to: number },
): Promise<RegistryComparison> {
  const modules = [
    await findVersion(ctx.db, user.id, { id, version: from }),
    await findVersion(ctx.db, user.id, { id, version: to }),
  ] as const;
  const before = await learnFacts(ctx, user, modules[0]);
  const after = await learnFacts(ctx, user, modules[1]);
  const names = { before: `version ${from}`, after: `version ${to}` };
  const candid = { before: before?.candid ?? null, after: after?.candid ?? null };
  return {
    candid: await compareCandid({ ...candid, names }),
    stable_memory: await compareData({
      before: before?.stableTypes ?? null,
      after: after?.stableTypes ?? null,
      keepsMemory: { before: before?.keepsMemory === true, after: after?.keepsMemory !== false },
      names,
    }),
    methods: await changedMethods(candid.before, candid.after),
  };
}

/** None where the interfaces are not known: the verdict of the comparison says so. */
async function changedMethods(
  before: string | null,
  after: string | null,
): Promise<RegistryComparison['methods']> {
  if (before === null || after === null) return [];
  try {
    const changes = await onCandid('interfaceChanges', before, after);
    return changes.map(({ method, before: was = null, after: is = null }) => ({
      method,
      before: was,
      after: is,
    }));
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return [];
  }
}
