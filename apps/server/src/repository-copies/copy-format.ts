// What the copy of a repository looks like in the bucket (docs/operations/backup.md, decision 0165).
import { z } from 'zod';
import { isBranchName, isOwnerSegment, isRepositoryName } from '../git/repository/names.ts';

const ROOT = 'repositories';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`^${UUID}$`);
const MANIFEST = new RegExp(`^${ROOT}/(${UUID})/manifests/(${UUID})/(\\d{12})-([0-9a-f]{64})$`);
const COUNTER_DIGITS = 12;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.int().min(0);
/** Most bytes of the name of a ref; git has fewer, since each is the path of a file. */
const MOST_OF_REF = 4_096;
/** What git allows in no name of a ref, besides control characters. */
const NEVER_IN_REF = new Set(' ~^:?*[\\\u007f');

/** Whether a text may be a ref as git gives it, each byte of its name a character: none ends a line or a name. */
export function isRef(text: string): boolean {
  if (!text.startsWith('refs/') || text.length > MOST_OF_REF) return false;
  return [...text].every((character) => character >= ' ' && !NEVER_IN_REF.has(character));
}

const manifestSchema = z.strictObject({
  version: z.literal(1),
  at: z.iso.datetime(),
  id: z.string().regex(ID),
  owner: z.string().refine(isOwnerSegment),
  name: z.string().refine(isRepositoryName),
  /** The branch that HEAD names. */
  head: z.string().refine(isBranchName).nullable(),
  refs: z.array(z.tuple([z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/), z.string().refine(isRef)])),
  packs: z.array(
    z.strictObject({
      file: z.string().regex(/^pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.(?:pack|idx)$/),
      bytes,
      sha256,
    }),
  ),
  /** Objects that are in no pack, one after the other; `names` is what tells one set of them from another. */
  loose: z.strictObject({ names: sha256, bytes, sha256 }).nullable(),
  /** The list of the files of Git LFS, each of which is an object by its id. */
  lfs: z.strictObject({ bytes, sha256 }).nullable(),
});

/** One state of a repository, complete: its refs, and the objects of the bucket that hold what they lead to. */
export type CopyManifest = z.output<typeof manifestSchema>;
/** A file of a copy and the object that holds it. */
export type CopiedFile = CopyManifest['packs'][number];

/** @throws Error for what is no manifest */
export function parseManifest(text: string): CopyManifest {
  return manifestSchema.parse(JSON.parse(text));
}

/** The bytes of a manifest; what cannot be restored cannot be written. @throws ZodError */
export function manifestBytes(manifest: CopyManifest): Buffer {
  return Buffer.from(JSON.stringify(manifestSchema.parse(manifest)));
}

/** Where the manifests of all folders are, of a folder, or of a repository. */
export function manifestsBelow(folder?: string, id?: string): string {
  if (folder === undefined) return `${ROOT}/`;
  return `${ROOT}/${folder}/manifests/${id === undefined ? '' : `${id}/`}`;
}

/** Where the objects of a repository are; each is named by the SHA-256 of its content. */
export const objectsBelow = (folder: string, id: string): string => `${ROOT}/${folder}/objects/${id}/`;

/** A key of a manifest, read. The one with the highest counter is the state of its repository. */
export interface ManifestKey {
  readonly key: string;
  readonly folder: string;
  readonly id: string;
  readonly counter: number;
  readonly sha256: string;
}

/** What a key says when it is one of a manifest. */
export function readManifestKey(key: string): ManifestKey | undefined {
  const [, folder, id, counter, hash] = MANIFEST.exec(key) ?? [];
  if (folder === undefined || id === undefined || hash === undefined) return undefined;
  return { key, folder, id, counter: Number(counter), sha256: hash };
}

/** The key of the manifest of that counter. */
export function manifestKey(folder: string, id: string, counter: number, hash: string): string {
  return `${manifestsBelow(folder, id)}${String(counter).padStart(COUNTER_DIGITS, '0')}-${hash}`;
}
