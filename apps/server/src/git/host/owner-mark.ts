import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitUser } from '../repository/git-host.ts';
import { ownerOf } from '../repository/names.ts';
import { DRAFT, ownerFolder } from '../repository/repository-folder.ts';

/**
 * The file in the folder of an owner that says whose the repositories there are, by the id of the user. A name says it only while the users are
 * those who have made them: beside an older database somebody new may get the name.
 */
const FILE = '.cannery-owner';
/** No user of the database was the owner at the time that the file has. */
const NOBODY = 'nobody';
/** How far clocks of machines may differ, and some more, in milliseconds: who signs up and pushes at once is not taken for a later user. */
const SKEW_MS = 10_000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Writes the mark of a folder that has none. */
async function writeNew(folder: string, text: string, at?: Date): Promise<void> {
  const draft = join(folder, `${DRAFT}${randomUUID()}`);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  try {
    if (at !== undefined) await utimes(draft, at, at);
    await link(draft, join(folder, FILE));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function markOf(folder: string): Promise<{ owner: string; at: Date } | undefined> {
  try {
    const path = join(folder, FILE);
    const [owner, { mtime: at }] = [await readFile(path, 'utf8'), await stat(path)];
    return { owner, at };
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
  const folder = await ownerFolder(root, ownerOf(user));
  if (folder === null) return true;
  const mark = await markOf(folder);
  if (mark !== undefined) return mark.owner === user.id;
  await writeNew(folder, user.id);
  return (await markOf(folder))?.owner === user.id;
}

/** Whether it has to be said whose a folder is, since it is nobody's so far. */
export async function isUnsettled(root: string, owner: string): Promise<boolean> {
  const folder = await ownerFolder(root, owner);
  if (folder === null) return false;
  const mark = await markOf(folder);
  return mark === undefined || mark.owner === NOBODY;
}

/**
 * Says whose a folder is that was here when the server was started. To be called before anybody is served.
 * @param user who has the name now; a user who came after the folder was nobody's is not its owner
 */
export async function settleOwner(
  root: string,
  owner: string,
  user: { readonly id: string; readonly since: Date } | undefined,
): Promise<void> {
  const folder = await ownerFolder(root, owner);
  if (folder === null) return;
  const mark = await markOf(folder);
  if (mark === undefined) await writeNew(folder, user?.id ?? NOBODY);
  else if (mark.owner === NOBODY && user !== undefined && user.since < mark.at) {
    const draft = join(folder, `${DRAFT}${randomUUID()}`);
    await writeFile(draft, user.id, { flag: 'wx', mode: 0o600, flush: true });
    await rename(draft, join(folder, FILE));
  }
}

/**
 * Leaves it open whose a folder is that was brought back: it is of whoever had the name at that time, if the database knows that user.
 * @param at when something in it was copied, by the clock of that machine
 */
export async function leaveOwnerOpen(root: string, owner: string, at: Date): Promise<void> {
  const folder = await ownerFolder(root, owner);
  if (folder !== null) await writeNew(folder, NOBODY, new Date(at.getTime() + SKEW_MS));
}
