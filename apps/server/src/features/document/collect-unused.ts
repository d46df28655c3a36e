import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import { repeat, type Repeated } from '../../jobs/repeat.ts';
import { isUnused } from './references.ts';

const PAUSE_MS = 10 * 60_000;
/** Documents of one transaction. */
const BATCH = 100;

export type CollectContext = Pick<AppContext, 'config' | 'transact' | 'blobs' | 'failpoint' | 'log'>;

/**
 * Deletes documents that nothing has referred to since they were uploaded so long ago, then content that is no document any
 * more. Several servers may do so at once, with uploads of the same content among them: a document is locked before it is looked
 * at a last time, and so is the row that announces its content (`announceBlob`) while the content is removed.
 * @throws Error of the database or the blob store; what is left is collected the next time
 */
export async function collectUnused(ctx: CollectContext): Promise<void> {
  const { unusedUploadMs } = ctx.config;
  while ((await ctx.transact((tx) => dropDocuments(tx, unusedUploadMs))) === BATCH);
  while (await ctx.transact((tx) => dropBlob(ctx, tx, unusedUploadMs)));
}

/** The time before which something is old; the clock is the database's. */
function ago(milliseconds: number) {
  return sql<Date>`now() - make_interval(secs => ${milliseconds / 1000})`;
}

/** @returns how many were looked at */
async function dropDocuments(tx: Tx, unusedMs: number): Promise<number> {
  const found = await tx
    .selectFrom('documents')
    .select(['user_id', 'kind', 'identifier'])
    .where('uploaded_at', '<', ago(unusedMs))
    .where(isUnused)
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { user_id, kind, identifier } of found) {
    await tx
      .deleteFrom('documents')
      .where('user_id', '=', user_id)
      .where('kind', '=', kind)
      .where('identifier', '=', identifier)
      // Whoever referred to it before it was locked has committed; this statement sees that.
      .where(isUnused)
      .execute();
  }
  return found.length;
}

/** Tables whose rows name content of the blob store, each by a foreign key to `blobs` and with an index for it. */
const holders = ['documents', 'run_artifacts', 'avatars', 'site_pictures'] as const;

/** That no row of a table names a blob. */
function unnamedBy(table: (typeof holders)[number]) {
  const name = sql.ref(`${table}.identifier`);
  return sql<boolean>`not exists (select 1 from ${sql.table(table)} where ${name} = blobs.identifier)`;
}

/** @returns whether there was one */
async function dropBlob(ctx: CollectContext, tx: Tx, unusedMs: number): Promise<boolean> {
  const found = await tx
    .selectFrom('blobs')
    .select('identifier')
    .where('stored_at', '<', ago(unusedMs))
    .where(({ and }) => and(holders.map(unnamedBy)))
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (found === undefined) return false;
  // The foreign keys of the holders refuse this for content that a row has come to name after all.
  await tx.deleteFrom('blobs').where('identifier', '=', found.identifier).execute();
  ctx.failpoint('collect.deleting');
  await ctx.blobs.remove(found.identifier);
  ctx.failpoint('collect.removed');
  return true;
}

/** Collects now and then until stopped. */
export function startCollector(ctx: CollectContext): Repeated {
  return repeat(() => collectUnused(ctx), {
    pauseMs: PAUSE_MS,
    failed: (error) => ctx.log.warn({ err: error }, 'Unused uploads could not be collected'),
  });
}
