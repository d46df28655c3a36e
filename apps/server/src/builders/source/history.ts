import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { CloneSource } from '../../git/repository/git-host.ts';
import { isBranchName, isObjectId } from '../../git/repository/names.ts';
import { GitError, gitText, runGit } from '../../git/repository/run-git.ts';
import type { TenantFile, WrittenFile } from '../tenant/tenant-folder.ts';

/** Commits that a checkout knows: what sites ask for, the last change of a page, is in reach of them for years. */
const MOST_COMMITS = 5_000;
/** Tags that a checkout knows, the newest. */
const MOST_TAGS = 500;
/** Milliseconds that git may take for it; a build waits meanwhile. */
const PATIENCE_MS = 20_000;
/** Bytes of commits and folders; with more of them the checkout knows its commit only. */
const MOST_BYTES = 32 * 1024 ** 2;

interface HistorySource extends CloneSource {
  /** Whole id of the commit that is checked out. */
  readonly id: string;
  /** Branch that the commit is taken from; null for a commit that is asked for by itself. */
  readonly branch: string | null;
  /** Address of the repository, without credentials. */
  readonly address: string;
  /** Folder of the server that is not there yet; it is removed. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a `.git` into a checkout, from which git answers what builds ask: the commit, the branch, the newest tag, the last
 * change of a file, what is changed. It has commits and folders and no contents of files, as a clone with the filter `blob:none`; it is
 * written when all else is, by no git that runs in the checkout.
 * @returns how many commits it knows; 0 where there is no history, since git cannot read one in time
 */
export async function writeHistory({ folder, path }: TenantFile, source: HistorySource): Promise<number> {
  for (const most of [MOST_COMMITS, 1]) {
    try {
      const { commits, files } = await readHistory(source, most);
      // Without this folder git takes it for none of its own.
      await folder.makeParents(posix.join(path, '.git', 'refs', 'heads', 'x'));
      await folder.writeAll(posix.join(path, '.git'), files);
      return commits;
    } catch (error) {
      source.signal.throwIfAborted();
      if (!(error instanceof GitError)) throw error;
    } finally {
      await rm(source.scratch, { recursive: true, force: true });
    }
  }
  return 0;
}

/** Files of a `.git`. */
interface History {
  readonly commits: number;
  readonly files: readonly WrittenFile[];
}

/** @throws GitError also where it is too large */
async function readHistory(source: HistorySource, most: number): Promise<History> {
  const { gitDir, id, branch, address, scratch, signal } = source;
  if (!isObjectId(id)) throw new RangeError('This is not a commit id.');
  await mkdir(scratch, { mode: 0o700 });
  const options = { timeoutMs: PATIENCE_MS, signal };
  const git = ['--git-dir', gitDir];
  const index = join(scratch, 'index');
  const [commits, allTags] = await Promise.all([
    commitsBelow(source, most),
    tagsOf(source),
    runGit([...git, 'read-tree', id], { ...options, env: { GIT_INDEX_FILE: index } }),
  ]);
  const tags = allTags.filter(({ commit }) => commits.has(commit));
  // What is below these is left out.
  const ends = [...commits].filter(([, { isEnd }]) => isEnd).map(([end]) => end);
  const wanted = [...ends.map((end) => `--shallow ${end}`), id, ...tags.map(({ object }) => object)];
  const pack = [
    'pack-objects',
    '--revs',
    '--stdout',
    '--filter=blob:none',
    '--shallow',
    '--delta-base-offset',
  ];
  const input = `${wanted.join('\n')}\n`;
  const objects = await runGit([...git, ...pack, '--quiet'], { ...options, input, maxBytes: MOST_BYTES });
  const packed = join(scratch, 'pack');
  await writeFile(`${packed}.pack`, objects);
  const name = (await gitText(['index-pack', '-o', `${packed}.idx`, `${packed}.pack`], options)).trim();
  const head = branch !== null && isBranchName(branch) ? `refs/heads/${branch}` : null;
  const text = (file: string, lines: string): WrittenFile => ({ path: file, bytes: Buffer.from(lines) });
  const refs = head === null ? tags : [{ object: id, name: head }, ...tags];
  return {
    commits: commits.size,
    files: [
      text('HEAD', head === null ? `${id}\n` : `ref: ${head}\n`),
      text('config', configOf(address, id)),
      text('packed-refs', refs.map(({ object, name: ref }) => `${object} ${ref}\n`).join('')),
      ...(ends.length > 0 ? [text('shallow', ends.map((end) => `${end}\n`).join(''))] : []),
      // By it git knows that objects are missing on purpose.
      text(`objects/pack/pack-${name}.promisor`, ''),
      { path: `objects/pack/pack-${name}.pack`, bytes: objects },
      { path: `objects/pack/pack-${name}.idx`, bytes: await readFile(`${packed}.idx`) },
      { path: 'index', bytes: await readFile(index) },
    ],
  };
}

/** The newest commits below one, and whether what is below each of them is left out. */
async function commitsBelow(
  { gitDir, id, signal }: HistorySource,
  most: number,
): Promise<Map<string, { readonly isEnd: boolean }>> {
  const text = await gitText(
    ['--git-dir', gitDir, 'rev-list', '--parents', `--max-count=${most}`, '--end-of-options', id, '--'],
    { timeoutMs: PATIENCE_MS, signal },
  );
  const listed = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
  const known = new Set(listed.map(([commit = '']) => commit));
  // A repository that was fetched for a build has a part of its history itself, and git does not name the parents that it lacks.
  const cut = new Set((await readFile(join(gitDir, 'shallow'), 'utf8').catch(() => '')).split('\n'));
  return new Map(
    listed.map(([commit = '', ...parents]) => [
      commit,
      { isEnd: cut.has(commit) || parents.some((parent) => !known.has(parent)) },
    ]),
  );
}

/** The newest tags, each with the object that it names and the commit that it leads to. */
async function tagsOf({ gitDir, signal }: HistorySource) {
  const format = '--format=%(objectname) %(*objectname) %(refname)';
  const text = await gitText(
    [
      '--git-dir',
      gitDir,
      'for-each-ref',
      '--sort=-creatordate',
      `--count=${MOST_TAGS}`,
      format,
      'refs/tags/',
    ],
    { timeoutMs: PATIENCE_MS, signal },
  );
  return text.split('\n').flatMap((line) => {
    const [object = '', peeled = '', name = ''] = line.split(' ');
    const isNamed = isBranchName(name.slice('refs/tags/'.length));
    return isNamed ? [{ object, name, commit: peeled === '' ? object : peeled }] : [];
  });
}

/** Characters of an id in a repository whose objects are named by SHA-256. */
const SHA256_LENGTH = 64;

/** The settings of the `.git`. @param id tells by its length how the repository names its objects */
function configOf(address: string, id: string): string {
  return [
    '[core]',
    '\trepositoryformatversion = 1',
    '\tbare = false',
    '[extensions]',
    ...(id.length === SHA256_LENGTH ? ['\tobjectFormat = sha256'] : []),
    '\tpartialClone = origin',
    '[remote "origin"]',
    `\turl = ${JSON.stringify(address)}`,
    '\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '\tpromisor = true',
    '\tpartialclonefilter = blob:none',
    '',
  ].join('\n');
}
