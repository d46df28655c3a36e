import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { namedSandboxes } from '../../../test/support/sandboxes-here.ts';
import { removeFolder } from '../process/remove-folder.ts';
import { findToolchain } from '../sandbox/toolchain.ts';
import { ImageStore } from './image-store.ts';
import { mountSpace } from './mount-space.ts';
import { UserIds } from './user-ids.ts';

export const MIB = 1024 ** 2;
/** What a build of a test may write. */
export const MOST = { bytes: 48 * MIB, entries: 20_000 };
/** Disks are made where the tests are root. */
export const isRoot = process.getuid?.() === 0 && process.platform === 'linux';
/** A data folder with disks in it. */
export interface Place {
  readonly dataDir: string;
  readonly disks: string;
  readonly users: string;
  readonly warnings: string[];
}

/** What tests of disks share in one file, until all of them are over. */
export interface TestDisks {
  readonly sandboxes: Awaited<ReturnType<typeof namedSandboxes>>;
  newPlace(): Place;
  /** Opens the disks of a place. */
  open(place: Place): Promise<ImageStore>;
}

/** Call it where the tests of a file are collected. */
export async function testDisks(): Promise<TestDisks> {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-disks-'));
  const stores: ImageStore[] = [];
  afterAll(async () => {
    for (const store of stores) await store.close();
    await removeFolder(folder);
  });
  return {
    sandboxes: isRoot ? await namedSandboxes(await findToolchain(process.env), folder) : [],
    newPlace() {
      const dataDir = mkdtempSync(join(folder, 'data-'));
      return { dataDir, disks: join(dataDir, 'disks'), users: join(dataDir, 'build-users'), warnings: [] };
    },
    async open({ disks, users, warnings }) {
      const warn = (reason: string): void => void warnings.push(reason);
      const options = { folder: disks, users: new UserIds(users), most: MOST, warn };
      const store = await ImageStore.open({ ...options, space: await mountSpace() });
      stores.push(store);
      return store;
    },
  };
}

/** Files that loop devices of this machine are mounted from, below a folder. */
export function loopsBelow(path: string): string[] {
  return readdirSync('/sys/block')
    .filter((name) => name.startsWith('loop'))
    .flatMap((name) => {
      try {
        return [readFileSync(`/sys/block/${name}/loop/backing_file`, 'utf8').trim()];
      } catch {
        return [];
      }
    })
    .filter((file) => file.startsWith(path));
}

export const disksIn = (path: string): string[] => readdirSync(path).filter((name) => name !== 'at');
