import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Selectable, sql } from 'kysely';
import { DamagedBlobError, MissingBlobError } from '../../../blobs/blob-store.ts';
import { BuildError } from '../../../builders/build-error.ts';
import type { AppContext } from '../../../context.ts';
import type { ArtifactPart, RunArtifactsTable } from '../../../db/tables/deploy-tables.ts';
import { lockShares } from '../../../db/quota.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { jsonText } from '../../../db/json-text.ts';
import { AppError } from '../../../errors.ts';
import { announceBlob } from '../../document/store.ts';
import { storeContent } from '../../document/store-upload.ts';
import { ArtifactPack, moduleInPack, openPack } from './artifact-pack.ts';
import type { RunRow } from '../store/run-store.ts';
import type { PreparedCanister } from '../publish/prepare-canisters.ts';

/** Why the result of a run cannot be used. */
export const NOT_KEPT = 'What that run has published is not kept any more. Push its commit again and deploy.';

/** What a run publishes, as the blob store has it; a run that has succeeded is noted for it. */
export type StoredArtifact = Pick<Selectable<RunArtifactsTable>, 'identifier' | 'size' | 'canisters'>;

/**
 * Puts what a run publishes into the blob store.
 * @throws PackTooLargeError, the signal's reason, what the storage throws
 */
export async function storeArtifact(
  ctx: AppContext,
  canisters: readonly PreparedCanister[],
  signal: AbortSignal,
): Promise<StoredArtifact> {
  const pack = new ArtifactPack(canisters, { most: ctx.config.artifacts.bytes, signal });
  const incoming = await ctx.blobs.receive(pack.pieces());
  try {
    await storeContent(ctx, incoming);
  } finally {
    await incoming.discard();
  }
  return { identifier: incoming.hash, size: incoming.size, canisters: pack.parts };
}

/**
 * What a run has published, ready to be published again. It is not collected meanwhile.
 * @param folder where its pack is put; it must stay until everything is published
 * @throws BuildError when it is not kept any more
 */
export async function recallArtifact(
  ctx: AppContext,
  sourceId: string,
  folder: string,
): Promise<{ artifact: StoredArtifact; prepared: PreparedCanister[] }> {
  const pack = join(folder, 'artifact');
  const kept = await readKept(ctx, sourceId, (content) =>
    pipeline(Readable.from(content), createWriteStream(pack, { mode: 0o600 })),
  );
  if (kept === null) throw new BuildError(NOT_KEPT);
  return { artifact: kept.artifact, prepared: await openPack(pack) };
}

/**
 * The module that a run has put into a canister, taken out of the pack of the run once all of that is verified.
 * @throws AppError invalid_input when it is not kept any more
 */
export async function recallModule(ctx: AppContext, sourceId: string, canister: string): Promise<Uint8Array> {
  const kept = await readKept(ctx, sourceId, (content) => ctx.blobs.receive(content));
  if (kept === null) throw new AppError('invalid_input', NOT_KEPT);
  const { read: pack } = kept;
  try {
    const module = await moduleInPack(pack, canister);
    if (module === undefined)
      throw new Error(`The pack of the run ${sourceId} has no module of ${canister}.`);
    return module;
  } finally {
    await pack.discard();
  }
}

/**
 * Reads the pack of a run to its verified end; it is not collected for the time that uploads are kept.
 * @returns null when it is not kept any more, or is damaged, which the operator is told
 */
async function readKept<T>(
  ctx: AppContext,
  sourceId: string,
  reader: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<{ artifact: StoredArtifact; read: T } | null> {
  const artifact = await ctx.db
    .selectFrom('run_artifacts')
    .select(['identifier', 'size', 'canisters'])
    .where('instance_id', '=', sourceId)
    .executeTakeFirst();
  if (artifact === undefined) return null;
  const { identifier } = artifact;
  await ctx.transact((tx) => announceBlob(tx, identifier));
  try {
    return { artifact, read: await reader(ctx.blobs.read(identifier)) };
  } catch (error) {
    if (!(error instanceof MissingBlobError || error instanceof DamagedBlobError)) throw error;
    ctx.log.error({ err: error, instanceId: sourceId }, 'an artifact cannot be read');
    return null;
  }
}

/**
 * Notes what a run has published, so that it can be published again, and lets go of the oldest of the deploy and of the user.
 * @param artifact.awaits whether the run was refused for an interface, so that nothing of it is published
 */
export async function keepArtifact(
  { config }: Pick<AppContext, 'config'>,
  tx: Tx,
  { id, deploy_id, user_id }: Pick<RunRow, 'id' | 'deploy_id' | 'user_id'>,
  { identifier, size, canisters, awaits = false }: StoredArtifact & { awaits?: boolean },
): Promise<void> {
  const content = { identifier, size, canisters: jsonText(canisters), awaits_approval: awaits };
  // Two runs of a user that end at once would not see what the other keeps, and both would stay beyond the limit.
  await lockShares(tx, user_id);
  await tx
    .insertInto('run_artifacts')
    .values({ instance_id: id, deploy_id, user_id, ...content })
    // A run that starts again publishes once more.
    .onConflict((conflict) => conflict.column('instance_id').doUpdateSet(content))
    .execute();
  await letGoOfOldest(tx, { id, user_id }, config.artifacts);
}

/** Those of these runs that were refused for an interface and can still be published: no later run has made them void. */
export async function awaitingOf(
  db: Reader,
  runs: readonly Pick<RunRow, 'id' | 'status'>[],
): Promise<ReadonlySet<string>> {
  const failed = runs.filter(({ status }) => status === 'FAILED').map(({ id }) => id);
  if (failed.length === 0) return new Set();
  const rows = await db
    .selectFrom('run_artifacts')
    .innerJoin('deploy_instances as run', 'run.id', 'run_artifacts.instance_id')
    .select('run.id')
    .where('awaits_approval', '=', true)
    .where('run.id', 'in', failed)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deploy_instances as later')
            .select('later.id')
            .whereRef('later.deploy_id', '=', 'run.deploy_id')
            .whereRef('later.seq', '>', 'run.seq'),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Lets go of what awaits approval in a deploy, since a new run makes it void; the new run may itself publish it. */
export async function dropAwaiting(
  tx: Tx,
  { deployId, userId, source }: { deployId: string; userId: string; source?: Pick<RunRow, 'id'> | undefined },
): Promise<void> {
  await tx
    .deleteFrom('run_artifacts')
    .where('user_id', '=', userId)
    .where('deploy_id', '=', deployId)
    .where('awaits_approval', '=', true)
    .where('instance_id', '<>', source?.id ?? '')
    .execute();
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

/**
 * Takes the oldest away until no limit is passed; the newest stays. What awaits approval counts behind all that was
 * published, so that it pushes nothing of that out. Content goes when uploads are collected.
 */
async function letGoOfOldest(
  tx: Tx,
  run: Pick<RunRow, 'id' | 'user_id'>,
  { ofDeploy, bytes }: { ofDeploy: number; bytes: number },
): Promise<void> {
  const rows = tx
    .selectFrom('run_artifacts')
    .select([
      'instance_id',
      sql<number>`row_number() over (partition by deploy_id, awaits_approval order by created_at desc, instance_id)`.as(
        'place',
      ),
      sql<number>`sum(size) over (order by awaits_approval, created_at desc, instance_id)`.as('up_to'),
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
