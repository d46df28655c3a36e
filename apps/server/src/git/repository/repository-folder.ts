import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isOwnerSegment, isRepositoryName } from './names.ts';
import { clearIncoming } from './clear-leftovers.ts';
import { idIfThere, idOf, writeId } from './repository-id.ts';
import { runGit } from './run-git.ts';

/** A bare repository on disk. */
export interface BareRepository {
  readonly owner: string;
  readonly name: string;
  readonly gitDir: string;
}

/** Most bytes of one push. */
export const PUSH_LIMIT = 512 * 1024 * 1024;

/** Faults of old histories that hurt nobody; every other fault refuses the push. */
export const TOLERATED_FAULTS = [
  'zeroPaddedFilemode',
  'missingSpaceBeforeDate',
  'badTimezone',
  'missingSpaceBeforeEmail',
];

/** Settings of every repository, behind those that `git init` wrote. */
const REPOSITORY_CONFIG = `[http]
	receivepack = true
	getanyfile = false
[receive]
	fsckObjects = true
	maxInputSize = ${PUSH_LIMIT}
	denyNonFastForwards = false
	autogc = false
[uploadpack]
	allowFilter = true
[core]
	logAllRefUpdates = false
[receive "fsck"]
${TOLERATED_FAULTS.map((fault) => `	${fault} = warn\n`).join('')}`;

async function entries(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Repositories of an owner, in no order. Names are compared without regard to case, as people type them. */
export async function repositoriesOf(root: string, owner: string): Promise<BareRepository[]> {
  const folder = await ownerFolder(root, owner);
  if (folder === null) return [];
  return (await entries(folder))
    .filter((entry) => entry.endsWith('.git') && isRepositoryName(entry.slice(0, -4)))
    .map((entry) => ({ owner: basename(folder), name: entry.slice(0, -4), gitDir: join(folder, entry) }));
}

/** The folder of an owner's repositories; null where there is none. */
export async function ownerFolder(root: string, owner: string): Promise<string | null> {
  if (!isOwnerSegment(owner)) return null;
  const name = (await entries(root)).find((entry) => entry.toLowerCase() === owner.toLowerCase());
  return name === undefined ? null : join(root, name);
}

/** The repository of that owner and name, or null; hostile text is simply no name of one. */
export async function findRepository(
  root: string,
  owner: string,
  name: string,
): Promise<BareRepository | null> {
  if (!isRepositoryName(name)) return null;
  const all = await repositoriesOf(root, owner);
  return all.find((repository) => repository.name.toLowerCase() === name.toLowerCase()) ?? null;
}

/**
 * The repository of an owner that has an id, or null.
 * @param name the one that it had last, which is looked at first
 */
export async function findById(
  root: string,
  owner: string,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<BareRepository | null> {
  const isNamed = (one: BareRepository): boolean => one.name.toLowerCase() === name.toLowerCase();
  const all = await repositoriesOf(root, owner);
  for (const one of [...all.filter(isNamed), ...all.filter((each) => !isNamed(each))])
    if ((await idIfThere(one.gitDir)) === id) return one;
  return null;
}

/**
 * Whether it is certain that no repository of an owner has an id: the folder is the same before and after each of its
 * repositories was asked for its id and has told one. A repository that is being renamed, or on a disk that is away, is not gone.
 * @throws Error of the disk, also where the data of the git host is not there at all
 */
export async function isGone(root: string, owner: string, id: string): Promise<boolean> {
  // Where all is away that says nothing of one repository.
  await readdir(root);
  const before = await repositoriesOf(root, owner);
  for (const { gitDir } of before) {
    const told = await idIfThere(gitDir);
    if (told === null || told === id) return false;
  }
  const after = new Set((await repositoriesOf(root, owner)).map(({ gitDir }) => gitDir));
  return after.size === before.length && before.every(({ gitDir }) => after.has(gitDir));
}

/** How names in the folder of an owner begin that are no repository: one that is being made or removed, and the mark of a new name. */
export const DRAFT = '.new-';
const GONE = '.gone-';
const MOVED = '.moved-';

/** Told when a repository has another name, or is gone; what is told may be told again. */
export interface RepositoryWatcher {
  renamed(id: string, name: string): Promise<void>;
  removed(id: string): Promise<void>;
}

/**
 * Removes a repository: nobody can ask for it any more, then the watcher is told, then its files go. What a kill interrupts
 * is done by {@link settleLeftovers}.
 */
export async function removeRepository(
  { gitDir }: BareRepository,
  watcher: RepositoryWatcher,
): Promise<void> {
  const id = await idOf(gitDir);
  const gone = join(dirname(gitDir), `${GONE}${randomUUID()}`);
  await rename(gitDir, gone);
  await watcher.removed(id);
  await rm(gone, { recursive: true, force: true });
}

/**
 * Gives a repository another name of the same owner, and tells the watcher. A mark beside it lets {@link settleLeftovers}
 * tell the watcher where a kill came between the two.
 * @returns the repository at its new place, or the one that has the name
 * @throws RangeError when the name may not be in an address
 */
export async function renameRepository(
  root: string,
  repository: BareRepository,
  name: string,
  watcher: RepositoryWatcher,
): Promise<{ renamed: BareRepository } | { taken: BareRepository }> {
  if (!isRepositoryName(name)) throw new RangeError('This is not a repository name.');
  const taken = await findRepository(root, repository.owner, name);
  if (taken !== null && taken.gitDir !== repository.gitDir) return { taken };
  const folder = dirname(repository.gitDir);
  const gitDir = join(folder, `${name}.git`);
  const id = await idOf(repository.gitDir);
  const mark = join(folder, `${MOVED}${id}`);
  await (await open(mark, 'w')).close();
  await rename(repository.gitDir, gitDir);
  await watcher.renamed(id, name);
  await rm(mark, { force: true });
  return { renamed: { owner: repository.owner, name, gitDir } };
}

/** Brings to its end what a server that was killed has left of repositories that were being made, renamed, removed or pushed to. */
export async function settleLeftovers(root: string, watcher: RepositoryWatcher): Promise<void> {
  for (const owner of await entries(root)) {
    if (!isOwnerSegment(owner)) continue;
    for (const entry of await entries(join(root, owner))) {
      const path = join(root, owner, entry);
      if (entry.startsWith(MOVED)) {
        const id = entry.slice(MOVED.length);
        const moved = await findById(root, owner, { id, name: '' });
        if (moved !== null) await watcher.renamed(id, moved.name);
      } else if (entry.startsWith(GONE)) {
        const id = await idIfThere(path);
        if (id !== null) await watcher.removed(id);
      } else if (!entry.startsWith(DRAFT)) {
        if (entry.endsWith('.git')) await clearIncoming(path);
        continue;
      }
      await rm(path, { recursive: true, force: true });
    }
  }
}

/**
 * Creates an empty bare repository, or answers the one that is there already.
 * @throws RangeError when owner or name may not be in an address.
 */
export async function createRepository(root: string, owner: string, name: string): Promise<BareRepository> {
  const created = await createNewRepository(root, owner, name, async () => {});
  const repository = created ?? (await findRepository(root, owner, name));
  if (repository === null) throw new Error('A repository was removed while it was looked up.');
  return repository;
}

/**
 * Creates a bare repository with the content that `fill` puts into it; null when the name is taken, also when another
 * call takes it in the meantime.
 * @throws RangeError when owner or name may not be in an address.
 */
async function createNewRepository(
  root: string,
  owner: string,
  name: string,
  fill: (gitDir: string) => Promise<void>,
): Promise<BareRepository | null> {
  if (!isOwnerSegment(owner) || !isRepositoryName(name))
    throw new RangeError('This is not a repository name.');
  if ((await findRepository(root, owner, name)) !== null) return null;
  const folder = (await ownerFolder(root, owner)) ?? join(root, owner);
  const gitDir = join(folder, `${name}.git`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Built aside and moved into place, so that a crash leaves no half-made repository behind.
  const draft = join(folder, `${DRAFT}${randomUUID()}`);
  try {
    await runGit(['init', '--bare', '--quiet', '--template=', '--', draft]);
    await appendFile(join(draft, 'config'), REPOSITORY_CONFIG);
    await writeId(draft);
    await fill(draft);
    await rename(draft, gitDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // A repository's folder is never empty, so the move onto one that came into being meanwhile has failed.
    if ((await findRepository(root, owner, name)) !== null) return null;
    throw error;
  }
  return { owner: basename(folder), name, gitDir };
}

/** Names that are tried for a new repository: its own, then that with '-2', '-3', ... behind it. */
const MOST_NAMES = 1_000;
/** Characters of a name at most. */
const LONGEST_NAME = 100;

/**
 * As {@link createNewRepository}, under the first of those names that is free; null when none is.
 * @throws RangeError when owner or name may not be in an address.
 */
export async function createUnderFreeName(
  root: string,
  owner: string,
  name: string,
  fill: (gitDir: string, name: string) => Promise<void>,
): Promise<BareRepository | null> {
  for (let place = 1; place <= MOST_NAMES; place += 1) {
    const end = place === 1 ? '' : `-${place}`;
    const candidate = name.slice(0, LONGEST_NAME - end.length) + end;
    const created = await createNewRepository(root, owner, candidate, (gitDir) => fill(gitDir, candidate));
    if (created !== null) return created;
  }
  return null;
}

/** For the operator: that a repository was brought back under another name than it had. */
export function renamedSentence({
  owner,
  name,
  asked,
}: Pick<BareRepository, 'owner' | 'name'> & { readonly asked: string }): string {
  return `${owner}/${asked} is ${owner}/${name} now: another repository had its name when that one was copied.`;
}
