import { DamagedBlobError, MissingBlobError } from '../../blobs/blob-store.ts';
import type { AppContext } from '../../context.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { jsonText } from '../../db/json-text.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { inspectUpload, type ModuleFacts } from './inspect-module.ts';

/** Keeps what is known of a module; by its bytes it is always the same, so what is there stays. */
export async function keepFacts(tx: Tx, identifier: string, facts: ModuleFacts): Promise<void> {
  await tx
    .insertInto('modules')
    .values({
      identifier,
      size: facts.size,
      unpacked_size: facts.unpackedSize,
      unpacked_sha256: facts.unpackedSha256,
      exports: jsonText(facts.exports),
      candid: facts.candid,
      candid_args: facts.candidArgs,
      stable_types: facts.stableTypes,
      keeps_memory: facts.keepsMemory,
      warnings: jsonText(facts.warnings),
    })
    .onConflict((conflict) => conflict.column('identifier').doUpdateSet({ keeps_memory: facts.keepsMemory }))
    .execute();
}

/** Bytes of the texts that are kept of a module, unpacked: up to a mebibyte, which gzip sends as a few kilobytes. */
export function bytesOfTexts({ candid, candidArgs, stableTypes }: ModuleFacts): number {
  const texts = [candid, candidArgs, stableTypes];
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text ?? ''), 0);
}

/**
 * What is kept of a module; ask `learnFacts`, which also looks into one of which nothing is kept.
 * @returns undefined for an unknown one, and for one that was uploaded before all of this was kept
 */
export async function moduleFacts(db: Reader, identifier: string): Promise<ModuleFacts | undefined> {
  const row = await db
    .selectFrom('modules')
    .selectAll()
    .where('identifier', '=', identifier)
    .executeTakeFirst();
  if (row === undefined || row.keeps_memory === null) return undefined;
  return {
    size: row.size,
    unpackedSize: row.unpacked_size,
    unpackedSha256: row.unpacked_sha256,
    exports: row.exports,
    candid: row.candid,
    candidArgs: row.candid_args,
    stableTypes: row.stable_types,
    keepsMemory: row.keeps_memory,
    warnings: row.warnings,
  };
}

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
