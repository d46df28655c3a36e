import { appendFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isOwnerSegment, isRepositoryName } from './names.ts';
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
  if (!isOwnerSegment(owner)) return [];
  const folder = (await entries(root)).find((entry) => entry.toLowerCase() === owner.toLowerCase());
  if (folder === undefined) return [];
  return (await entries(join(root, folder)))
    .filter((entry) => entry.endsWith('.git') && isRepositoryName(entry.slice(0, -4)))
    .map((entry) => ({ owner: folder, name: entry.slice(0, -4), gitDir: join(root, folder, entry) }));
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

/** How names of folders begin that are no repository: one that is being made, or removed. */
export const DRAFT = '.new-';
const GONE = '.gone-';

/** Removes a repository, which nobody can ask for any more before the first file of it goes. */
export async function removeRepository({ gitDir }: BareRepository): Promise<void> {
  const gone = join(dirname(gitDir), `${GONE}${randomUUID()}`);
  await rename(gitDir, gone);
  await rm(gone, { recursive: true, force: true });
}

/**
 * Gives a repository another name of the same owner.
 * @returns null when another repository has the name
 * @throws RangeError when the name may not be in an address
 */
export async function renameRepository(
  root: string,
  repository: BareRepository,
  name: string,
): Promise<BareRepository | null> {
  if (!isRepositoryName(name)) throw new RangeError('This is not a repository name.');
  const taken = await findRepository(root, repository.owner, name);
  if (taken !== null && taken.gitDir !== repository.gitDir) return null;
  const gitDir = join(dirname(repository.gitDir), `${name}.git`);
  await rename(repository.gitDir, gitDir);
  return { owner: repository.owner, name, gitDir };
}

/** Removes what a server that was killed has left of repositories that were being made or removed. */
export async function removeLeftovers(root: string): Promise<void> {
  for (const owner of await entries(root)) {
    if (!isOwnerSegment(owner)) continue;
    for (const entry of await entries(join(root, owner)))
      if (entry.startsWith(DRAFT) || entry.startsWith(GONE))
        await rm(join(root, owner, entry), { recursive: true, force: true });
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
export async function createNewRepository(
  root: string,
  owner: string,
  name: string,
  fill: (gitDir: string) => Promise<void>,
): Promise<BareRepository | null> {
  if (!isOwnerSegment(owner) || !isRepositoryName(name))
    throw new RangeError('This is not a repository name.');
  if ((await findRepository(root, owner, name)) !== null) return null;
  const folder = (await entries(root)).find((entry) => entry.toLowerCase() === owner.toLowerCase()) ?? owner;
  const gitDir = join(root, folder, `${name}.git`);
  await mkdir(join(root, folder), { recursive: true, mode: 0o700 });
  // Built aside and moved into place, so that a crash leaves no half-made repository behind.
  const draft = join(root, folder, `${DRAFT}${randomUUID()}`);
  try {
    await runGit(['init', '--bare', '--quiet', '--template=', '--', draft]);
    await appendFile(join(draft, 'config'), REPOSITORY_CONFIG);
    await fill(draft);
    await rename(draft, gitDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // A repository's folder is never empty, so the move onto one that came into being meanwhile has failed.
    if ((await findRepository(root, owner, name)) !== null) return null;
    throw error;
  }
  return { owner: folder, name, gitDir };
}
