import { CandidError } from '@cannery/candid';
import type { RegistryComparison } from '@cannery/contract';
import { onCandid } from '../../candid/candid-thread.ts';
import { compareCandid, compareData } from '../../candid/compare-modules.ts';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { learnFacts } from '../document/learn-facts.ts';
import { findVersion } from './version-store.ts';

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
