import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { z } from 'zod';
import type { TenantFile, WrittenFile } from '../../tenant/tenant-folder.ts';

/** Files of a package and their SHA-256, hexadecimal, by path. */
type FileHashes = ReadonlyMap<string, string>;

/** Files of a package are not what the registry says they are, or cannot be files of a package. */
export class PackageFilesError extends Error {
  override readonly name = 'PackageFilesError';
}

/**
 * Packages of a registry for all tenants. It holds nothing but files whose hash the registry itself has given, by that
 * hash, and each file is checked again when it is taken out.
 */
export interface PackageStore {
  /**
   * Takes a package in.
   * @param id such as 'ic@4.0.0'
   * @throws PackageFilesError when a file differs from its hash
   */
  add(id: string, hashes: FileHashes, from: TenantFile): Promise<void>;
  /** Writes a package to where nothing is; false when it is not there, or not whole. */
  copyTo(id: string, to: TenantFile): Promise<boolean>;
}

/** Bounds of a package: those of the public registry. */
const MOST_FILES = 1_000;
const MOST_BYTES = 28 * 1024 * 1024;

const INDEX = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));
/** Name and version become the name of a file. */
const ID = /^[A-Za-z0-9_][\w.-]{0,99}@[A-Za-z0-9][\w.+-]{0,99}$/;
/** A path of a package: plain names with slashes between. */
const PLAIN_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\/\p{Cc}]{1,200}(?:\/[^\\/\p{Cc}]{1,200}){0,20}$/u;

/** @throws PackageFilesError for a list that cannot be one of a package */
function checkPaths(id: string, hashes: FileHashes): void {
  if (!ID.test(id)) throw new PackageFilesError(`'${id.slice(0, 100)}' is not a package.`);
  if (hashes.size > MOST_FILES) throw new PackageFilesError(`${id} has more than ${MOST_FILES} files.`);
  for (const path of hashes.keys()) {
    if (!PLAIN_PATH.test(path))
      throw new PackageFilesError(`${id} has a file with the path '${path.slice(0, 100)}'.`);
  }
}

async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, content, { flag: 'wx' });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** @param folder of this registry; no two registries share one */
export function openPackageStore(folder: string): PackageStore {
  const contents = join(folder, 'contents');
  const indexOf = (id: string): string => join(folder, 'packages', `${id}.json`);
  const contentOf = (hash: string): string => join(contents, hash);
  return {
    async add(id, hashes, from) {
      checkPaths(id, hashes);
      await mkdir(contents, { recursive: true, mode: 0o700 });
      await mkdir(join(folder, 'packages'), { recursive: true, mode: 0o700 });
      const files = [...hashes];
      const paths = files.map(([path]) => posix.join(from.path, path));
      const found = await from.folder.readAll(paths, MOST_BYTES);
      for (const [index, [path, hash]] of files.entries()) {
        const content = found[index] ?? null;
        if (content === null) {
          const at = paths[index] ?? '';
          const isThere =
            (await from.folder.isFolder(posix.dirname(at))) && (await from.folder.kindOf(at)) === 'file';
          throw new PackageFilesError(
            isThere ? `${id} is larger than ${MOST_BYTES / 1024 ** 2} MB.` : `${id} lacks the file ${path}.`,
          );
        }
        if (sha256(content) !== hash)
          throw new PackageFilesError(`The file ${path} of ${id} differs from its hash in the registry.`);
        await writeWhole(contentOf(hash), content);
      }
      await writeWhole(indexOf(id), JSON.stringify(Object.fromEntries(hashes)));
    },
    async copyTo(id, to) {
      const text = await readFile(indexOf(id), 'utf8').catch(() => null);
      if (text === null) return false;
      const files: WrittenFile[] = [];
      for (const [path, hash] of Object.entries(INDEX.parse(JSON.parse(text)))) {
        const bytes = await readFile(contentOf(hash)).catch(() => null);
        if (bytes === null || sha256(bytes) !== hash) {
          await rm(indexOf(id), { force: true });
          return false;
        }
        files.push({ path, bytes });
      }
      await to.folder.writeAll(to.path, files);
      return true;
    },
  };
}
