import { isBranchName, isObjectId } from './names.ts';
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

/** Bytes of output for listings; a repository beyond that is refused as too large. */
const LISTING_LIMIT = 64 * 1024 * 1024;

const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '040000': 'folder',
  '120000': 'link',
  '160000': 'submodule',
};

/** Branch names, the repository's default branch first, the others by name. Empty while nothing was pushed. */
export async function branchesOf(gitDir: string): Promise<string[]> {
  // The mark is a star for the default branch and a space for the others.
  const format = '--format=%(HEAD)%(refname:lstrip=2)';
  const listed = await gitText(['--git-dir', gitDir, 'for-each-ref', format, 'refs/heads']);
  const branches = listed
    .split('\n')
    .map((line) => ({ isDefault: line.startsWith('*'), name: line.slice(1) }))
    .filter(({ name }) => isBranchName(name));
  return [
    ...branches.filter(({ isDefault }) => isDefault),
    ...branches.filter(({ isDefault }) => !isDefault),
  ].map(({ name }) => name);
}

/** Makes the first pushed branch the default one, when the default names a branch that does not exist. */
export async function settleDefaultBranch(gitDir: string): Promise<void> {
  const names = await branchesOf(gitDir);
  const head = (await gitText(['--git-dir', gitDir, 'symbolic-ref', '--short', 'HEAD'])).trim();
  const first = ['main', 'master'].find((name) => names.includes(name)) ?? names[0];
  if (first !== undefined && !names.includes(head)) {
    await runGit(['--git-dir', gitDir, 'symbolic-ref', 'HEAD', `refs/heads/${first}`]);
  }
}

/** The newest commits of a branch; empty when there is no such branch. */
export async function commitsOf(gitDir: string, branch: string, count: number): Promise<Commit[]> {
  if (!isBranchName(branch)) return [];
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
      `refs/heads/${branch}`,
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
    // git has spoken: there is no such branch. Silence means that git itself could not be run.
    if (error instanceof GitError && error.output !== '') return [];
    throw error;
  }
}

/** Entries of a commit's tree: all files with their paths, or the first level only. */
export async function treeOf(gitDir: string, commit: string, depth: 'all' | 'first'): Promise<TreeEntry[]> {
  if (!isObjectId(commit)) throw new RangeError('This is no commit id.');
  const recursive = depth === 'all' ? ['-r'] : [];
  const args = ['--git-dir', gitDir, 'ls-tree', ...recursive, '-l', '-z', '--end-of-options', commit];
  const listing = await gitText(args, { maxBytes: LISTING_LIMIT });
  return listing
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , objectId = '', size = '0'] = line.slice(0, tab).split(/ +/);
      return {
        path: line.slice(tab + 1),
        kind: kinds[mode] ?? 'file',
        objectId,
        size: size === '-' ? 0 : Number(size),
      };
    });
}

/** Content of a file object. @throws GitError when it is larger than `maxBytes`. */
export async function blobOf(gitDir: string, objectId: string, maxBytes: number): Promise<Buffer> {
  if (!isObjectId(objectId)) throw new RangeError('This is no object id.');
  return runGit(['--git-dir', gitDir, 'cat-file', 'blob', objectId], { maxBytes });
}
