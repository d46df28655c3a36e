import { opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openPlain } from '../data-dir/open-plain.ts';
import { StartError } from '../errors.ts';
import { linesOf } from '../lines-of.ts';
import { isRef } from '../repository-copies/copy-format.ts';
import { isOwnerSegment, isRepositoryName } from '../git/repository/names.ts';
import { headOf, refLines } from '../git/repository/read-refs.ts';
import {
  type BareRepository,
  createUnderFreeName,
  renamedSentence,
  repositoriesOf,
} from '../git/repository/repository-folder.ts';
import { idIfThere } from '../git/repository/repository-id.ts';
import { runGit } from '../git/repository/run-git.ts';
import { eachOf } from '../fairness/each-of.ts';
import { copyPlain, FILES_AT_ONCE, isThere, makeFolder, writeNew } from './backup-files.ts';

/** How often a repository is begun again whose files git has packed meanwhile. */
const ATTEMPTS = 4;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TWO_DIGITS = /^[0-9a-f]{2}$/;
/** What a push adds to a repository, by the names that git gives; nothing that a tenant named is among them. */
const OBJECT = /^[0-9a-f]{38}$|^[0-9a-f]{62}$/;
const PACK = /^pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap)$/;
const LFS = /^[0-9a-f]{64}-\d{1,15}$/;
/** A line of git: an object id, a space and the name of a ref. */
const REF = /^[0-9a-f]{40,64} (.+)$/;

/** The file that says which repository it is. */
const DESCRIPTION = 'repository.json';
const repositorySchema = z.strictObject({
  id: z.string().regex(ID),
  owner: z.string().refine(isOwnerSegment),
  name: z.string().refine(isRepositoryName),
  head: z.string().nullable(),
});

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) names.push(name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return names;
}

/** All repositories of the git host. */
async function allRepositories(root: string): Promise<BareRepository[]> {
  const found: BareRepository[] = [];
  for (const owner of await namesIn(root)) found.push(...(await repositoriesOf(root, owner)));
  return found;
}

/** Where a backup has repositories, each by its id, and where they are while they are copied. */
const REPOSITORIES = 'git';
const UNDER_WAY = 'repositories-under-way';

/**
 * Copies every repository: its refs first, so that every object they lead to is there when objects are copied. Each gets to its place when it
 * is whole, so that nothing is left of one that its user removes meanwhile.
 */
export async function copyRepositories(root: string, folder: string): Promise<number> {
  let count = 0;
  await makeFolder(join(folder, REPOSITORIES));
  await eachOf(await allRepositories(root), FILES_AT_ONCE, async (repository) => {
    if (await copyRepository(repository, folder)) count += 1;
  });
  await rm(join(folder, UNDER_WAY), { recursive: true, force: true });
  return count;
}

/** @returns false for one that was removed meanwhile */
async function copyRepository(repository: BareRepository, folder: string): Promise<boolean> {
  const { gitDir, owner, name } = repository;
  const id = await idIfThere(gitDir);
  if (id === null) return false;
  const target = join(folder, UNDER_WAY, id);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const refs = await refLines(gitDir);
      const head = await headOf(gitDir);
      await copyObjects(gitDir, target);
      await writeNew(join(target, 'refs'), [refs]);
      await writeNew(join(target, DESCRIPTION), [JSON.stringify({ id, owner, name, head })]);
      await rename(target, join(folder, REPOSITORIES, id));
      return true;
    } catch (error) {
      // Renamed or removed, or git has packed what was listed.
      if ((await idIfThere(gitDir)) !== id) return copyMoved(repository, id, folder);
      if (attempt === ATTEMPTS || !(isMissing(error) || isTaken(error))) throw error;
    }
  }
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** A repository that has got another name while it was copied is at its new place; one that is nowhere was removed. */
async function copyMoved({ gitDir, owner }: BareRepository, id: string, folder: string): Promise<boolean> {
  const root = join(gitDir, '..', '..');
  for (const each of await repositoriesOf(root, owner))
    if (each.gitDir !== gitDir && (await idIfThere(each.gitDir)) === id) return copyRepository(each, folder);
  return false;
}

/** What is there already, of an attempt before, is as it was: objects never change. */
async function copyNew(from: string, to: string): Promise<void> {
  await copyPlain(from, to).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}

async function copyObjects(gitDir: string, target: string): Promise<void> {
  const objects = join(gitDir, 'objects');
  await makeFolder(join(target, 'objects'));
  // Before packs: an object that git packs meanwhile is in one of those, or gone when it is copied, and all is begun again.
  const loose: [folder: string, name: string][] = [];
  for (const two of await namesIn(objects)) {
    if (!TWO_DIGITS.test(two)) continue;
    for (const name of await namesIn(join(objects, two))) if (OBJECT.test(name)) loose.push([two, name]);
  }
  const packs = (await namesIn(join(objects, 'pack'))).filter((name) => PACK.test(name));
  const whole = new Set(packs.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -4)));
  for (const name of packs) {
    // A pack that has no index yet is still coming.
    if (whole.has(name.slice(0, name.lastIndexOf('.'))))
      await copyNew(join(objects, 'pack', name), join(target, 'objects/pack', name));
  }
  for (const [two, name] of loose)
    await copyNew(join(objects, two, name), join(target, 'objects', two, name));
  for (const name of await namesIn(join(gitDir, 'lfs')))
    if (LFS.test(name)) await copyNew(join(gitDir, 'lfs', name), join(target, 'lfs', name));
}

/**
 * Makes every repository of a backup in a git host that has none.
 * @returns what has another name now, a sentence each
 */
export async function restoreRepositories(folder: string, root: string): Promise<string[]> {
  const ids = (await namesIn(join(folder, REPOSITORIES))).filter((id) => ID.test(id));
  await makeFolder(root);
  const renamed: string[] = [];
  // One after the other where two owners' folders could be made at once.
  for (const id of ids) {
    const source = join(folder, REPOSITORIES, id);
    // Written last. Backups of before have what was copied of a repository until its user removed it.
    if (!(await isThere(join(source, DESCRIPTION)))) continue;
    const { asked, made } = await restoreRepository(source, root);
    if (made.name !== asked) renamed.push(renamedSentence({ ...made, asked }));
  }
  return renamed;
}

/** Users rename while others of their repositories are copied, so two may have had the same name. */
async function restoreRepository(
  source: string,
  root: string,
): Promise<{ asked: string; made: BareRepository }> {
  const { id, owner, name, head } = repositorySchema.parse(
    JSON.parse(await readFile(join(source, DESCRIPTION), 'utf8')),
  );
  const made = await createUnderFreeName(root, owner, name, async (gitDir) => {
    await copyObjects(source, gitDir);
    await writeFile(join(gitDir, 'cannery-id'), id);
    // Names of refs are bytes: each is a character here.
    const refs = await Array.fromAsync(await readLines(join(source, 'refs')));
    if (!refs.every((line) => isRef(REF.exec(line)?.[1] ?? '')))
      throw new StartError(`The backup of ${owner}/${name} has a ref that is none.`);
    const packed = Buffer.from(refs.map((line) => `${line}\n`).join(''), 'latin1');
    if (refs.length > 0) await writeNew(join(gitDir, 'packed-refs'), [packed]);
    if (head !== null) await runGit(['--git-dir', gitDir, 'symbolic-ref', 'HEAD', `refs/heads/${head}`]);
  });
  if (made === null) throw new StartError(`The backup has ${owner}/${name} too often.`);
  return { asked: name, made };
}

async function readLines(path: string): Promise<AsyncIterable<string>> {
  const file = await openPlain(path);
  return linesOf(file.createReadStream(), 'latin1');
}
