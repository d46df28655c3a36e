import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { DamagedBlobError, MissingBlobError } from '../../blobs/blob-store.ts';
import { sizeText } from '../../build/amount-text.ts';
import { BuildError } from '../../build/step-runner.ts';
import type { AppContext } from '../../context.ts';
import type { ArtifactPart } from '../../db/deploy-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { announceBlob } from '../document/store.ts';
import { ArtifactPack, openPack, PackTooLargeError } from './artifact-pack.ts';
import type { InstanceRow } from './instance-store.ts';
import type { PreparedCanister } from './prepare-canisters.ts';

type Run = Pick<InstanceRow, 'id' | 'deploy_id' | 'user_id'>;

/**
 * Keeps what a run publishes, so that it can be published again without a build, and lets go of the oldest of the deploy
 * and of the user.
 * @returns why it could not be kept, as a sentence for the log; null when it is kept
 * @throws what the storage throws
 */
export async function keepArtifact(
  ctx: AppContext,
  run: Run,
  canisters: readonly PreparedCanister[],
): Promise<string | null> {
  const most = ctx.config.artifacts.bytes;
  const pack = new ArtifactPack(canisters, { most });
  try {
    const incoming = await ctx.blobs.receive(pack.pieces());
    try {
      await ctx.transact((tx) => announceBlob(tx, incoming.hash));
      await incoming.keep();
    } finally {
      await incoming.discard();
    }
    const { hash: identifier, size } = incoming;
    await ctx.transact(async (tx) => {
      await insertArtifact(tx, run, { identifier, size, canisters: pack.parts });
      await letGoOfOldest(tx, run, ctx.config.artifacts);
    });
    return null;
  } catch (error) {
    if (!(error instanceof PackTooLargeError)) throw error;
    return `This run cannot be rolled back to: it publishes more than the ${sizeText(most)} that are kept for a user (ARTIFACT_MB).`;
  }
}

/** Notes that a run publishes what an earlier one has published, as long as that is kept. */
export async function keepSameArtifact(ctx: AppContext, run: Run, sourceId: string): Promise<void> {
  await ctx.transact(async (tx) => {
    const source = await tx
      .selectFrom('run_artifacts')
      .select(['identifier', 'size', 'canisters'])
      .where('instance_id', '=', sourceId)
      .forShare()
      .executeTakeFirst();
    if (source === undefined) return;
    await insertArtifact(tx, run, source);
    await letGoOfOldest(tx, run, ctx.config.artifacts);
  });
}

/**
 * What a run has published, ready to be published again.
 * @param folder where its pack is put; it must stay until everything is published
 * @throws BuildError when it is not kept any more
 */
export async function recallArtifact(
  ctx: AppContext,
  sourceId: string,
  folder: string,
): Promise<PreparedCanister[]> {
  const gone = 'What that run has published is not kept any more. Deploy its commit again.';
  const source = await ctx.db
    .selectFrom('run_artifacts')
    .select('identifier')
    .where('instance_id', '=', sourceId)
    .executeTakeFirst();
  if (source === undefined) throw new BuildError(gone);
  const pack = join(folder, 'artifact');
  try {
    await pipeline(
      Readable.from(ctx.blobs.read(source.identifier)),
      createWriteStream(pack, { mode: 0o600 }),
    );
  } catch (error) {
    if (!(error instanceof MissingBlobError || error instanceof DamagedBlobError)) throw error;
    ctx.log.error({ err: error, instanceId: sourceId }, 'an artifact cannot be read');
    throw new BuildError(gone, { cause: error });
  }
  return openPack(pack);
}

/** What runs have published, by run; a run of which nothing is kept is not there. */
export async function artifactsOf(
  db: Reader,
  instanceIds: readonly string[],
): Promise<Map<string, readonly ArtifactPart[]>> {
  if (instanceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('run_artifacts')
    .select(['instance_id', 'canisters'])
    .where('instance_id', 'in', instanceIds)
    .execute();
  return new Map(rows.map((row) => [row.instance_id, row.canisters]));
}

async function insertArtifact(
  tx: Tx,
  { id, deploy_id, user_id }: Run,
  { identifier, size, canisters }: { identifier: string; size: number; canisters: readonly ArtifactPart[] },
): Promise<void> {
  const content = { identifier, size, canisters: JSON.stringify(canisters) };
  await tx
    .insertInto('run_artifacts')
    .values({ instance_id: id, deploy_id, user_id, ...content })
    // A run that starts again publishes once more.
    .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(content))
    .execute();
}

/** Takes the oldest away until no limit is passed; the newest stays. Content goes when uploads are collected. */
async function letGoOfOldest(
  tx: Tx,
  run: Run,
  { ofDeploy, bytes }: { ofDeploy: number; bytes: number },
): Promise<void> {
  const rows = tx
    .selectFrom('run_artifacts')
    .select([
      'instance_id',
      sql<number>`row_number() over (partition by deploy_id order by created_at desc, instance_id)`.as(
        'place',
      ),
      sql<number>`sum(size) over (order by created_at desc, instance_id)`.as('up_to'),
    ])
    .where('user_id', '=', run.user_id);
  await tx
    .deleteFrom('run_artifacts')
    .where('instance_id', '<>', run.id)
    .where('instance_id', 'in', (from) =>
      from
        .selectFrom(rows.as('ranked'))
        .select('instance_id')
        .where((where) => where.or([where('place', '>', ofDeploy), where('up_to', '>', bytes)])),
    )
    .execute();
}
