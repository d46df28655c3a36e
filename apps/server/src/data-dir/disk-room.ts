import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes below which a folder counts as full: the next write of any size may fail. */
const LEAST_FREE = 2 * 1024 * 1024;

/** Whether the data folder, and each folder in it, which may be on another disk, has room for bytes and for files. */
export async function hasRoom(dataDir: string): Promise<boolean> {
  const folders = await readdir(dataDir, { withFileTypes: true }).catch(() => []);
  const paths = [
    dataDir,
    ...folders.filter((entry) => !entry.isFile()).map(({ name }) => join(dataDir, name)),
  ];
  const rooms = await Promise.all(
    paths.map(async (path) => {
      // What has gone meanwhile takes no room; a file system without inodes has none to count.
      const disk = await statfs(path).catch(() => undefined);
      if (disk === undefined) return true;
      return disk.bavail * disk.bsize >= LEAST_FREE && (disk.files === 0 || disk.ffree > 0);
    }),
  );
  return rooms.every(Boolean);
}
