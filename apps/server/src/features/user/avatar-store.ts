import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** From this age on a picture is fetched again, since it may change at its address; milliseconds. */
const FRESH_MS = 7 * 86_400_000;

/** A short name of a picture's address: another address is another picture. */
export function avatarKey(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 22);
}

/** Pictures of users, drawn again: one file each in a folder of the user. */
export interface AvatarStore {
  /** The picture of an address, unless there is none or it is old. */
  find(userId: string, key: string): Promise<Buffer | undefined>;
  /** Keeps a picture instead of the user's former one. */
  keep(userId: string, key: string, picture: Buffer): Promise<void>;
}

/** @param userId and key are never a visitor's text: they come from the database and from `avatarKey` */
export function openAvatarStore(folder: string, now: () => number = Date.now): AvatarStore {
  return {
    async find(userId, key) {
      const file = join(folder, userId, `${key}.png`);
      const found = await stat(file).catch(() => undefined);
      return found === undefined || now() - found.mtimeMs > FRESH_MS ? undefined : readFile(file);
    },
    async keep(userId, key, picture) {
      const own = join(folder, userId);
      await mkdir(own, { recursive: true });
      const incoming = join(own, `.${randomUUID()}`);
      await writeFile(incoming, picture);
      await rename(incoming, join(own, `${key}.png`));
      const others = (await readdir(own)).filter((name) => name !== `${key}.png`);
      await Promise.all(others.map((name) => rm(join(own, name), { force: true })));
    },
  };
}
