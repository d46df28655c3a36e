import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, readFileSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { ReleaseRecord } from './release-world.ts';

/** Where the folders of releases are kept. */
const kept = new URL('./kept/', import.meta.url);

/** A database has each table several times, far from each other: the window, 2 to this power bytes, is as large as all of it. */
const WINDOW_LOG = 27;

/** Opens the keys in the backups that are kept. */
export const PASSPHRASE = 'a can of twelve peaches\n';

/** What a data folder need not have: the product makes it again. */
export const MADE_AGAIN: readonly string[] = ['builds', 'cache', 'disks'];

/** What is kept of a release: a data folder, a backup of it, and what was asked of it. */
export interface StoredRelease {
  readonly version: string;
  readonly folder: URL;
  readonly backup: URL;
  readonly record: URL;
}

export function releaseOf(version: string): StoredRelease {
  const place = (end: string): URL => new URL(`${version}${end}`, kept);
  return { version, folder: place('.folder.zst'), backup: place('.backup.zst'), record: place('.json') };
}

/** All releases that are kept. */
export function keptReleases(): readonly StoredRelease[] {
  return readdirSync(kept)
    .filter((name) => name.endsWith('.json'))
    .map((name) => releaseOf(name.slice(0, -'.json'.length)));
}

export function recordOf({ record }: StoredRelease): ReleaseRecord {
  return JSON.parse(readFileSync(record, 'utf8')) as ReleaseRecord;
}

/** Packs a folder into one file. @param without names in the folder that are made again where they are missing */
export async function pack(folder: string, file: URL, without: readonly string[] = []): Promise<void> {
  const left = without.map((name) => `--exclude=./${name}`);
  const tar = spawn('tar', ['--sort=name', '--numeric-owner', ...left, '-C', folder, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(tar, 'exit');
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  await pipeline(tar.stdout, createZstdCompress({ params }), createWriteStream(file));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`tar ended with exit code ${code}.`);
}

/** Fills a folder with what {@link pack} has written. */
export async function unpack(file: URL, folder: string): Promise<void> {
  // Tar stops reading at its mark of the end, so it is given a file and no stream.
  const tape = `${folder}.tar`;
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG };
  await pipeline(createReadStream(file), createZstdDecompress({ params }), createWriteStream(tape));
  await promisify(execFile)('tar', ['-C', folder, '--no-same-owner', '-xpf', tape]);
  rmSync(tape);
}
