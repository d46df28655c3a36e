import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import { StartError } from '../errors.ts';
import { eachOf } from '../fairness/each-of.ts';
import { openPlain } from '../data-dir/open-plain.ts';
import { FILES_AT_ONCE, isThere, writeNew } from './backup-files.ts';

const HASH = /^[0-9a-f]{64}$/;

function pathOf(folder: string, hash: string): string {
  return join(folder, 'blobs', hash.slice(0, 2), hash);
}

/**
 * Keeps the collector from content that is announced now: it leaves rows alone that somebody has locked. To be called before the
 * snapshot, on a connection that is closed when all is copied.
 */
export async function keepUploads(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('select count(*) from (select 1 from blobs for key share) kept');
}

/** Hashes of all content that the snapshot of a connection knows. */
export async function uploadsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ identifier: string }>('select identifier from blobs');
  return rows.map(({ identifier }) => identifier);
}

/** Copies content and checks it on the way, or, of a bucket that has its own backup, looks whether it is there. */
export async function copyUploads(
  store: BlobStore,
  hashes: readonly string[],
  { folder, isCopied }: { folder: string; isCopied: boolean },
): Promise<void> {
  await eachOf(hashes, FILES_AT_ONCE, async (hash) => {
    if (isCopied) await writeNew(pathOf(folder, hash), store.read(hash));
    else if (!(await store.has(hash)))
      throw new StartError(`The bucket has not got ${hash}, which the database knows.`);
  });
}

/** Brings content into a store. */
export async function restoreUploads(store: BlobStore, folder: string): Promise<void> {
  const hashes: string[] = [];
  const root = join(folder, 'blobs');
  if (await isThere(root)) {
    for await (const { name: two } of await opendir(root))
      for await (const { name } of await opendir(join(root, two))) if (HASH.test(name)) hashes.push(name);
  }
  await eachOf(hashes, FILES_AT_ONCE, async (hash) => {
    const file = await openPlain(pathOf(folder, hash));
    const incoming = await store.receive(file.createReadStream());
    if (incoming.hash !== hash)
      throw new StartError(`The backup is damaged: ${hash} is not what was written.`);
    await incoming.keep();
  });
}
