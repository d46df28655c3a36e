import { isBranchName, isObjectId } from './names.ts';
import { branchesOf, headOf } from './read-refs.ts';
import { listTree } from './list-tree.ts';
import { GitError, gitText, runGit } from './run-git.ts';

export interface Commit {
  readonly id: string;
  /** First line of the message. */
  readonly subject: string;
  readonly author: string;
  readonly date: Date;
}

export interface TreeEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'submodule';
  readonly objectId: string;
  /** Bytes; 0 for what is no file. */
  readonly size: number;
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '040000': 'folder',
  '120000': 'link',
  '160000': 'submodule',
};

/** What an entry of a tree is, by its mode. */
export const kindOfMode = (mode: string): TreeEntry['kind'] => kinds[mode] ?? 'file';

/** Branches of which the newest is looked for; a name that is no branch name here is passed over. */
const NEWEST_LOOKED_AT = 100;

/** Milliseconds for git to look at the newest commits of all branches. */
const NEWEST_PATIENCE_MS = 10_000;

/** Name of the branch with the newest commit; null when there is none, or git cannot tell. */
async function newestBranchOf(gitDir: string): Promise<string | null> {
  const format = '--format=%(refname:lstrip=2)';
  const args = [
    'for-each-ref',
    '--sort=-committerdate',
    `--count=${NEWEST_LOOKED_AT}`,
    format,
    'refs/heads/',
  ];
  try {
    const text = await gitText(['--git-dir', gitDir, ...args], { timeoutMs: NEWEST_PATIENCE_MS });
    return text.split('\n').find(isBranchName) ?? null;
  } catch (error) {
    // Such as for commits larger than git has memory for.
    if (error instanceof GitError) return null;
    throw error;
  }
}

/**
 * Gives the repository another default branch when its default one does not exist: before the first push, and after a push
 * that has deleted it. `main` takes over, or `master`, or the branch with the newest commit.
 */
export async function settleDefaultBranch(gitDir: string): Promise<void> {
  const names = await branchesOf(gitDir);
  const head = await headOf(gitDir);
  if (names.length === 0 || (head !== null && names.includes(head))) return;
  const usual = ['main', 'master'].find((name) => names.includes(name));
  const next = usual ?? (await newestBranchOf(gitDir)) ?? names[0];
  if (next !== undefined) await setDefaultBranch(gitDir, next);
}

/**
 * Makes a branch the default one, whether or not it exists.
 * @throws RangeError for what is no name of a branch
 */
export async function setDefaultBranch(gitDir: string, branch: string): Promise<void> {
  if (!isBranchName(branch)) throw new RangeError('This is not a branch name.');
  await runGit(['--git-dir', gitDir, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
}

/** The newest commits of a branch; empty when there is no such branch. */
export async function commitsOf(gitDir: string, branch: string, count: number): Promise<Commit[]> {
  return isBranchName(branch) ? commitsFrom(gitDir, `refs/heads/${branch}`, count) : [];
}

/** A commit by its id. @throws RangeError for what is no id; GitError when there is no such commit */
export async function commitOf(gitDir: string, id: string): Promise<Commit> {
  if (!isObjectId(id)) throw new RangeError('This is not a commit id.');
  const [commit] = await commitsFrom(gitDir, id, 1);
  if (commit === undefined) throw new GitError(`The repository has no commit ${id}`);
  return commit;
}

async function commitsFrom(gitDir: string, revision: string, count: number): Promise<Commit[]> {
  const format = '--format=%H%x00%s%x00%an%x00%ct%x00';
  try {
    const text = await gitText([
      '--git-dir',
      gitDir,
      'log',
      `--max-count=${count}`,
      '--no-show-signature',
      format,
      '--end-of-options',
      revision,
      '--',
    ]);
    return text
      .split('\0\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', subject = '', author = '', seconds = '0'] = line.split('\0');
        return { id, subject, author, date: new Date(Number(seconds) * 1000) };
      });
  } catch (error) {
    // git has spoken: there is no such revision. Silence means that git itself could not be run.
    if (error instanceof GitError && error.output !== '') return [];
    throw error;
  }
}

/** Entries of a commit's tree, at most `most` of them: all files with their paths, or the first level only. */
export async function treeOf(
  gitDir: string,
  commit: string,
  { recursive, most }: { recursive: boolean; most: number },
): Promise<TreeEntry[]> {
  if (!isObjectId(commit)) throw new RangeError('This is not a commit id.');
  const entries: TreeEntry[] = [];
  for await (const { mode, objectId, size, path } of listTree(gitDir, commit, { recursive })) {
    const kind = kindOfMode(mode);
    if (recursive && kind === 'folder') continue;
    entries.push({ path: path.toString('utf8'), kind, objectId, size });
    if (entries.length >= most) break;
  }
  return entries;
}

/** Content of a file object. @throws GitError when it is larger than `maxBytes`. */
export async function blobOf(gitDir: string, objectId: string, maxBytes: number): Promise<Buffer> {
  if (!isObjectId(objectId)) throw new RangeError('This is not an object id.');
  return runGit(['--git-dir', gitDir, 'cat-file', 'blob', objectId], { maxBytes });
}
