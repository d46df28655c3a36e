import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitUser } from '../repository/git-host.ts';
import { isOwnerSegment, ownerOf } from '../repository/names.ts';
import { ownerFolder } from '../repository/repository-folder.ts';

/**
 * The folder among those of owners, whose names never begin so, with a file for each of these that says whose the repositories are, by the
 * id of the user. A name says it only while the users are those who have made them: beside an older database somebody new may get the name.
 */
const FOLDER = '.cannery-owners';
/** No user of the database was the owner at the time that the file has. */
const NOBODY = 'nobody';
/** How far clocks of machines may differ, and some more, in milliseconds: who signs up and pushes at once is not taken for a later user. */
const SKEW_MS = 10_000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function pathOf(root: string, owner: string): string {
  if (!isOwnerSegment(owner)) throw new RangeError('This is no name of an owner.');
  return join(root, FOLDER, owner.toLowerCase());
}

/** @param put gives the file, which is whole, its place */
async function writeMark(root: string, text: string, put: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(join(root, FOLDER), { recursive: true, mode: 0o700 });
  const draft = join(root, FOLDER, `.draft-${randomUUID()}`);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await put(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes the mark of an owner who has none. */
function writeFirst(root: string, owner: string, { text, at }: { text: string; at?: Date }): Promise<void> {
  return writeMark(root, text, async (draft) => {
    if (at !== undefined) await utimes(draft, at, at);
    await link(draft, pathOf(root, owner)).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  });
}

/** The id of the user, or {@link NOBODY}; undefined where nobody has said whose they are. */
async function ownerIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether the repositories under the name of a user are that user's. What has no mark became the user's while this server was at work:
 * what was there before has one ({@link settleOwner}).
 */
export async function isOwnFolder(root: string, user: GitUser): Promise<boolean> {
  const owner = ownerOf(user);
  const path = pathOf(root, owner);
  const known = await ownerIn(path);
  if (known !== undefined) return known === user.id;
  if ((await ownerFolder(root, owner)) === null) return true;
  await writeFirst(root, owner, { text: user.id });
  return (await ownerIn(path)) === user.id;
}

/** Whether it has to be said whose the repositories of an owner are, since they are nobody's so far. */
export async function isUnsettled(root: string, owner: string): Promise<boolean> {
  const known = await ownerIn(pathOf(root, owner));
  return known === undefined || known === NOBODY;
}

/**
 * Says whose the repositories of an owner are that were here when the server was started. To be called before anybody is served.
 * @param user who has the name now; a user who came after they were nobody's is not their owner
 */
export async function settleOwner(
  root: string,
  owner: string,
  user: { readonly id: string; readonly since: Date } | undefined,
): Promise<void> {
  const path = pathOf(root, owner);
  const known = await ownerIn(path);
  if (known === undefined) await writeFirst(root, owner, { text: user?.id ?? NOBODY });
  else if (known === NOBODY && user !== undefined && user.since < (await stat(path)).mtime)
    await writeMark(root, user.id, (draft) => rename(draft, path));
}

/**
 * Leaves it open whose repositories are that were brought back: they are of whoever had the name at that time, if the database knows that user.
 * @param at when one of them was copied, by the clock of that machine
 */
export function leaveOwnerOpen(root: string, owner: string, at: Date): Promise<void> {
  return writeFirst(root, owner, { text: NOBODY, at: new Date(at.getTime() + SKEW_MS) });
}
