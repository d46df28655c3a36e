import type { DappInterface } from '@cannery/contract';
import { CandidError } from '@cannery/candid';
import type { Actor, AppContext } from '../../context.ts';
import { onCandid } from '../../candid/candid-thread.ts';
import { learnFacts } from '../document/learn-facts.ts';
import { findPublished } from './version-store.ts';

/**
 * What a version of a dapp can be called with, and what its installation takes.
 * @throws AppError not_found for a version of no dapp in the marketplace
 */
export async function readInterface(ctx: AppContext, user: Actor, versionId: string): Promise<DappInterface> {
  const facts = await learnFacts(ctx, user, await findPublished(ctx.db, versionId));
  const candid = facts?.candid ?? null;
  return { candid, init_args: await initArgs(facts?.candidArgs ?? null, candid) };
}

async function initArgs(args: string | null, candid: string | null): Promise<string | null> {
  const text = args ?? candid;
  if (text === null) return null;
  try {
    return (await onCandid('initService', text, candid ?? undefined)) ?? null;
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    return null;
  }
}
