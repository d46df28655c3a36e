import { DamagedBlobError, MissingBlobError } from '../../blobs/blob-store.ts';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { inspectUpload, type ModuleFacts } from './inspect-module.ts';
import { keepFacts, moduleFacts } from './module-store.ts';

/**
 * What is known of a module. One that was uploaded before all of that was kept is looked into now, and it is kept. Whether
 * the user may know it is asked before, as `ownsDocument` does.
 * @returns undefined for a module whose file is gone, or that no network takes
 */
export async function learnFacts(
  ctx: AppContext,
  user: Actor,
  identifier: string,
): Promise<ModuleFacts | undefined> {
  const kept = await moduleFacts(ctx.db, identifier);
  if (kept !== undefined) return kept;
  try {
    const facts = await inspectUpload(user, () => ctx.blobs.get(identifier));
    await ctx.transact((tx) => keepFacts(tx, identifier, facts));
    return facts;
  } catch (error) {
    const isUnusable = error instanceof AppError && error.code === 'invalid_wasm';
    if (isUnusable || error instanceof MissingBlobError || error instanceof DamagedBlobError)
      return undefined;
    throw error;
  }
}
