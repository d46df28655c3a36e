import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a repository's objects on disk, what a push that was cut off left behind included. */
export async function sizeOf(gitDir: string): Promise<number> {
  return sizeOfFolder(join(gitDir, 'objects'));
}

/** One file at a time: other tenants' files need the same few threads. */
async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A file may go at any time: git packs while it is looked at.
    bytes += entry.isDirectory()
      ? await sizeOfFolder(path)
      : await stat(path).then(
          ({ size }) => size,
          () => 0,
        );
  }
  return bytes;
}
