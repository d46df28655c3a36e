import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Selectable, sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { SharedTables } from '../db/tables/shared-tables.ts';
import type { Db, Reader } from '../db/tx.ts';
import { StartError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { markOfFolder } from './blob-folder.ts';
import type { BlobStore, PlaceMark } from './blob-store.ts';
import { holdFolder } from './hold-folder.ts';
import { moveIntoBucket } from './move-into-bucket.ts';
import { blobFolder, openBlobs } from './open-blobs.ts';

type BlobPlace = Selectable<SharedTables['blob_place']>;

interface Parts {
  readonly config: Pick<Config, 'dataDir' | 'bucket' | 'databaseUrl'>;
  readonly db: Db;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Told when another process has taken over the folder of uploads: this one must not go on. */
  readonly onLost: (reason: string) => void;
}

/** A blob store that is the one of the database. */
export interface PlacedBlobs extends BlobStore {
  /** Lets another process have it, where only one can. */
  close(): Promise<void>;
}

/** Number of the lock of the database under which the place is settled, by one process at a time. */
const SETTLING = 5_901_134;
const MARK = /^[0-9a-f-]{36}$/;
const SETTINGS = 'BLOBS_S3_URL, BLOBS_S3_BUCKET, BLOBS_S3_ACCESS_KEY and BLOBS_S3_SECRET_KEY';

/**
 * Opens the blob store that the settings name, if it is the place at which the blobs of the database are. The database and the
 * place carry the same mark, so that two processes with different places are told, whatever the places are called (decision
 * 0134). What lies in the folder of the data folder goes into the bucket when one is set.
 * @throws StartError when the bucket cannot be used, or is not the place of the database's blobs
 */
export async function openPlacedBlobs(parts: Parts): Promise<PlacedBlobs> {
  const { config, db } = parts;
  const store = await openBlobs(config);
  const here = placeOf(config);
  let place = await readPlace(db);
  const mark = await store.mark.read();
  if (place === undefined || place.id !== mark) place = await settle(parts, { store, here, place });
  // With the embedded database nobody else can have its folder.
  if (place.kind === 'bucket' || config.databaseUrl === undefined) return { ...store, close: async () => {} };
  const hold = await holdOwn(parts);
  if (hold === undefined) throw refusal(place, here);
  return { ...store, close: () => hold.end() };
}

/** Takes the folder of the data folder, which has a mark. @returns undefined when another process has a copy of it */
async function holdOwn({ config, db, log, onLost }: Parts) {
  const { ino } = await stat(join(blobFolder(config), 'place'));
  return holdFolder(db, {
    holder: `${hostname()}:${config.dataDir}:${ino}`,
    log,
    onLost: () => onLost('Another process has taken over the folder of uploads of this database.'),
  });
}

/** Makes the place that the settings name the place of the database, where that is right. */
async function settle(
  parts: Parts,
  {
    store,
    here,
    place,
  }: {
    store: BlobStore & { readonly mark: PlaceMark };
    here: Pick<BlobPlace, 'kind' | 'name'>;
    place: BlobPlace | undefined;
  },
): Promise<BlobPlace> {
  const { config, db, log } = parts;
  const folder = blobFolder(config);
  const isMine =
    place === undefined ||
    // A folder that has lost its mark: with the embedded database there is no other it could be.
    (here.kind === 'folder' && place.kind === 'folder' && config.databaseUrl === undefined) ||
    (here.kind === 'bucket' && place.kind === 'folder' && place.id === (await markOfFolder(folder).read()));
  if (!isMine) throw refusal(place, here);
  if (here.kind === 'bucket' && place !== undefined && config.databaseUrl !== undefined) {
    // Whoever uses a copy of the folder at this moment would go on to put uploads into it.
    const hold = await holdOwn(parts);
    if (hold === undefined) throw refusal(place, here);
    await hold.end();
  }
  if (here.kind === 'bucket') await moveIntoBucket({ folder, bucket: store, log });
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SETTLING})`.execute(tx);
    const now = await readPlace(tx);
    const mark = await store.mark.read();
    if (now !== undefined && now.id !== place?.id) {
      if (now.id === mark) return now;
      throw refusal(now, here);
    }
    // A place that is marked already may be the one of a database that was restored.
    const id = mark !== undefined && MARK.test(mark) ? mark : randomUUID();
    if (id !== mark) await store.mark.write(id);
    const settled = { id, ...here, holder: null, held_until: null };
    await tx
      .insertInto('blob_place')
      .values({ only_row: true, ...settled })
      .onConflict((conflict) => conflict.column('only_row').doUpdateSet(settled))
      .execute();
    return { only_row: true, ...settled };
  });
}

function readPlace(db: Reader): Promise<BlobPlace | undefined> {
  return db.selectFrom('blob_place').selectAll().executeTakeFirst();
}

/** What the settings name, in words for the operator; no credentials are in them. */
function placeOf(config: Parts['config']): Pick<BlobPlace, 'kind' | 'name'> {
  if (config.bucket === undefined)
    return { kind: 'folder', name: `the folder ${blobFolder(config)} of ${hostname()}` };
  const { bucket, url } = config.bucket;
  const { origin, pathname } = new URL(url);
  return { kind: 'bucket', name: `the bucket ${bucket} at ${origin}${pathname.replace(/\/$/, '')}` };
}

function refusal(
  place: Pick<BlobPlace, 'kind' | 'name'> | undefined,
  here: Pick<BlobPlace, 'kind' | 'name'>,
) {
  const there = `The uploads of this database are kept in ${place?.name}`;
  if (place?.kind === 'bucket') {
    const missing = here.kind === 'folder' ? SETTINGS : 'BLOBS_S3_URL and BLOBS_S3_BUCKET';
    return new StartError(
      `${there}, and this process would keep them in ${here.name}. Set ${missing} as the other processes have them.`,
    );
  }
  return new StartError(
    `${there}, which only one process can use, and this process would keep them in ${here.name}. Several processes need ` +
      `a bucket: set ${SETTINGS} for all of them, and start the one with that folder first: it puts what is there into the bucket.`,
  );
}
