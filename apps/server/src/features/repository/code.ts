import { isUtf8 } from 'node:buffer';
import { type RepositoryCode, SHOWN_FILE_BYTES } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { entryAt } from '../../git/repository/entry-at.ts';
import { isObjectId } from '../../git/repository/names.ts';
import { blobOf, commitOf, kindOfMode, treeOf } from '../../git/repository/read-repository.ts';
import { GitError } from '../../git/repository/run-git.ts';
import { type OwnRepository, readOwn } from './read-own.ts';

/** Entries of a folder that are listed; the whole is a clone away. */
const ENTRIES_SHOWN = 1_000;

/**
 * What one of the user's repositories has at a path of a commit: a file, or the entries of a folder.
 * @throws AppError not_found for a repository that is not the user's, and for a commit or path that it does not have
 */
export async function readCode(
  ctx: AppContext,
  user: Actor,
  asked: { owner: string; repo: string; commit: string; path: string },
): Promise<RepositoryCode> {
  return readOwn(
    () => ctx.git.readable(asked.owner, asked.repo, user),
    (repository) => codeOf(repository, asked),
  );
}

async function codeOf(
  { owner, name, gitDir }: OwnRepository,
  asked: { commit: string; path: string },
): Promise<RepositoryCode> {
  if (!isObjectId(asked.commit)) throw notFound('Commit');
  const { date, ...commit } = await commitOf(gitDir, asked.commit).catch((error: unknown) => {
    throw error instanceof GitError ? notFound('Commit') : error;
  });
  const { path } = asked;
  const entry = path === '' ? null : await entryAt(gitDir, commit.id, path);
  if (path !== '' && entry === null) throw notFound('File');
  const kind = entry === null ? 'folder' : kindOfMode(entry.mode);
  const objectId = entry?.objectId ?? commit.id;
  const most = ENTRIES_SHOWN + 1;
  const entries = kind === 'folder' ? await treeOf(gitDir, objectId, { recursive: false, most }) : [];
  const size = entry?.size ?? 0;
  const isRead = (kind === 'file' || kind === 'link') && size <= SHOWN_FILE_BYTES;
  return {
    owner,
    name,
    commit: { ...commit, date: date.toISOString() },
    path,
    kind,
    size,
    text: isRead ? textOf(await blobOf(gitDir, objectId, SHOWN_FILE_BYTES)) : null,
    entries: entries
      .slice(0, ENTRIES_SHOWN)
      .map((one) => ({ path: one.path, kind: one.kind, size: one.size })),
    more_entries: entries.length > ENTRIES_SHOWN,
  };
}

/** The text of a file; null for one that is no text. */
function textOf(bytes: Buffer): string | null {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null;
}
