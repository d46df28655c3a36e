import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyRepositories, restoreRepositories } from '../../src/backup/repositories.ts';
import { createRepository, repositoriesOf } from '../../src/git/repository/repository-folder.ts';
import { idOf } from '../../src/git/repository/repository-id.ts';

let folder: string;
let root: string;
let backup: string;
let restored: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-backed-up-'));
  [root, backup, restored] = ['git', 'backup', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Held {
  readonly gitDir: string;
  readonly id: string;
  /** Waits until the repository is being copied. @returns what lets its copy go on */
  copyBegins(): Promise<() => void>;
}

/** A repository whose copy waits: the content of its pack, which comes first, is what somebody says. */
async function held(name: string): Promise<Held> {
  const { gitDir } = await createRepository(root, 'ada', name);
  const pack = `pack-${randomBytes(20).toString('hex')}`;
  const packs = join(gitDir, 'objects/pack');
  mkdirSync(packs, { recursive: true });
  writeFileSync(join(packs, `${pack}.idx`), '');
  const pipe = join(packs, `${pack}.pack`);
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(gitDir, 'objects/ab'));
  writeFileSync(join(gitDir, 'objects/ab', 'c'.repeat(38)), '');
  return {
    gitDir,
    id: await idOf(gitDir),
    async copyBegins() {
      for (;;) {
        try {
          // Refused while nobody reads.
          const writing = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
          // Whoever reads it once more does not wait.
          rmSync(pipe);
          writeFileSync(pipe, '');
          return () => closeSync(writing);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
          await delay(5);
        }
      }
    },
  };
}

const namesIn = async (where: string): Promise<string[]> =>
  (await repositoriesOf(where, 'ada')).map(({ name }) => name).toSorted();

test('a repository that its user deletes while it is copied is not in the backup, and the others come back', async () => {
  const kept = await createRepository(root, 'ada', 'kept');
  const deleted = await held('deleted');
  const copied = copyRepositories(root, backup);
  const goOn = await deleted.copyBegins();
  rmSync(deleted.gitDir, { recursive: true });
  goOn();
  expect(await copied).toBe(1);
  expect(existsSync(join(backup, 'git', deleted.id))).toBe(false);
  await restoreRepositories(backup, restored);
  expect(await namesIn(restored)).toEqual(['kept']);
  expect(await idOf(join(restored, 'ada/kept.git'))).toBe(await idOf(kept.gitDir));
});

test('what a backup of before has of a deleted repository does not keep the others from coming back', async () => {
  await createRepository(root, 'ada', 'kept');
  await copyRepositories(root, backup);
  mkdirSync(join(backup, 'git', '00000000-0000-4000-8000-000000000000', 'objects'), { recursive: true });
  await restoreRepositories(backup, restored);
  expect(await namesIn(restored)).toEqual(['kept']);
});

test('two repositories that had one name one after the other while they were copied both come back', async () => {
  const first = await createRepository(root, 'ada', 'shop');
  const ids = [await idOf(first.gitDir)];
  const second = await held('bakery');
  ids.push(second.id);
  const copied = copyRepositories(root, backup);
  const goOn = await second.copyBegins();
  // The first one is in the backup by now, with the name that the second one gets.
  while (!existsSync(join(backup, 'git', ids[0] ?? '', 'repository.json'))) await delay(1);
  renameSync(first.gitDir, join(root, 'ada/old-shop.git'));
  renameSync(second.gitDir, join(root, 'ada/shop.git'));
  goOn();
  expect(await copied).toBe(2);
  const names = ids.map((id) =>
    String(JSON.parse(readFileSync(join(backup, 'git', id, 'repository.json'), 'utf8'))['name']),
  );
  expect(names).toEqual(['shop', 'shop']);
  await restoreRepositories(backup, restored);
  expect(await namesIn(restored)).toEqual(['shop', 'shop-2']);
  const found = await Promise.all((await repositoriesOf(restored, 'ada')).map(({ gitDir }) => idOf(gitDir)));
  expect(found.toSorted()).toEqual(ids.toSorted());
});
