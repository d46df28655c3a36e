import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { eachOf } from '../fairness/each-of.ts';
import { StartError, textOf } from '../errors.ts';
import {
  FILES_AT_ONCE,
  type FileRecord,
  isThere,
  listFiles,
  recordAll,
  recordOf,
  writeNew,
} from './backup-files.ts';

/** The form of a backup; another number is another form. */
const FORMAT = 1;
/** The version of the product that is running; a test holds it against package.json. */
export const PRODUCT_VERSION = '1.0.0';
const MANIFEST = 'manifest.json';
/** SHA-256 of the manifest, which names that of everything else. */
const SEAL = 'manifest.sha256';
/** The longest manifest that is read, in bytes: a million files. */
const MOST_BYTES = 256 * 1024 * 1024;

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  /** The moment of books and network. */
  takenAt: z.iso.datetime(),
  /** For how long payments stood still, in milliseconds; null where no server was running. */
  heldMs: z.number().nullable(),
  /** Payments that were cut off before, where no server was running. */
  openPayments: z.int().min(0),
  migrations: z.array(z.string()),
  rows: z.record(z.string().regex(/^[a-z0-9_]+$/), z.int().min(0)),
  sequences: z.record(z.string().regex(/^[a-z0-9_]+$/), z.string().regex(/^\d+$/)),
  repositories: z.int().min(0),
  uploads: z.enum(['copied', 'in the bucket']),
  network: z.enum(['copied', 'elsewhere']),
  hasKeys: z.boolean(),
  /** Settings that were given; of those that may hold a secret the names only. */
  settings: z.record(z.string(), z.string().nullable()),
  files: z.array(
    z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** What a backup says of itself. */
export type Manifest = z.infer<typeof manifestSchema>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Records everything in the folder, and writes that down. All of it is on the disk then. */
export async function writeManifest(
  folder: string,
  told: Omit<Manifest, 'format' | 'version' | 'files'>,
): Promise<Manifest> {
  const files: FileRecord[] = await recordAll(folder);
  const manifest: Manifest = { format: FORMAT, version: PRODUCT_VERSION, ...told, files };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await writeNew(join(folder, MANIFEST), [text]);
  await writeNew(join(folder, SEAL), [`${sha256(text)}\n`]);
  await recordOf(folder, MANIFEST, true);
  await recordOf(folder, SEAL, true);
  return manifest;
}

/** @throws StartError for a folder that is no whole backup, or one of another form or major version */
export async function readManifest(folder: string): Promise<Manifest> {
  if (!(await isThere(join(folder, MANIFEST))))
    throw new StartError(`${folder} is no backup: it has no ${MANIFEST}.`);
  const [text, seal] = await Promise.all([
    recordOf(folder, MANIFEST).then(({ bytes }) => {
      if (bytes > MOST_BYTES) throw new StartError(`${join(folder, MANIFEST)} is too long.`);
      return readFile(join(folder, MANIFEST), 'utf8');
    }),
    readFile(join(folder, SEAL), 'utf8').catch(() => ''),
  ]);
  if (sha256(text) !== seal.trim()) throw new StartError(`${join(folder, MANIFEST)} is damaged.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new StartError(`${join(folder, MANIFEST)} cannot be read: ${textOf(error)}`);
  }
  const { success, data } = manifestSchema.safeParse(parsed);
  if (!success) throw new StartError(`${folder} is a backup of a form that this version does not know.`);
  const [theirs, mine] = [data.version, PRODUCT_VERSION].map((version) => version.split('.')[0]);
  if (theirs !== mine) {
    throw new StartError(
      `The backup was made by Cannery ${data.version}; this is ${PRODUCT_VERSION}. Another major version does not restore it.`,
    );
  }
  return data;
}

/**
 * Reads every byte of a backup.
 * @throws StartError that names what is damaged, missing or too much
 */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { files } = await listFiles(folder);
  const known = new Map(manifest.files.map((file) => [file.path, file]));
  const found = new Set(files);
  const missing = manifest.files.find(({ path }) => !found.has(path));
  if (missing !== undefined) throw new StartError(`The backup is damaged: ${missing.path} is missing.`);
  const added = files.find((path) => !known.has(path) && path !== MANIFEST && path !== SEAL);
  if (added !== undefined) throw new StartError(`The backup was changed: ${added} is not in its manifest.`);
  await eachOf(manifest.files, FILES_AT_ONCE, async ({ path, bytes, sha256: hash }) => {
    const read = await recordOf(folder, path);
    if (read.bytes !== bytes || read.sha256 !== hash)
      throw new StartError(`The backup is damaged: ${path} is not what was written.`);
  });
  return manifest;
}

/** Removes what an earlier backup of the same name left when it was cut off. */
export async function removeUnfinished(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
