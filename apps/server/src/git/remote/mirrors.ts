import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { clearLeftovers } from '../repository/clear-leftovers.ts';
import { commitOf } from '../repository/read-repository.ts';
import { GitError, type GitOptions, runGit } from '../repository/run-git.ts';
import { RepositoriesAwayError } from './homes.ts';

/** Copies that stay when nobody reads them, the last used ones: the next run of a deploy then brings what is new only. */
const KEPT = 8;
/** Longest time in which a repository comes, in milliseconds: it may have a gigabyte. */
const FETCH_MS = 10 * 60_000;
const ID = /^[0-9a-f-]{36}$/;

/** Where git fetches a repository, and by which header. */
interface Origin {
  readonly url: string;
  readonly authorization: string;
}

interface Mirror {
  readonly gitDir: string;
  readers: number;
  /** Ends when the last fetch that was begun has: one at a time. */
  fetched: Promise<unknown>;
}

/** Copies of repositories of git roles in this process's data folder, for builds and plans to read. */
export class Mirrors {
  readonly #root: string;
  /** In the order of their use. */
  readonly #mirrors = new Map<string, Mirror>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Begins without copies: those of an earlier process are removed. */
  static async open(dataDir: string): Promise<Mirrors> {
    const root = join(dataDir, 'mirrors');
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new Mirrors(root);
  }

  /**
   * Reads a repository as it is now.
   * @param id of the repository
   * @param from says where git fetches it, and by which header
   * @param work gets the copy, and what brings a commit into it that no branch leads to
   * @throws AppError repository_busy when it cannot be fetched; what `work` throws
   */
  async read<T>(
    id: string,
    from: () => Promise<Origin>,
    work: (gitDir: string, bring: (commit: string) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    // It names a folder.
    if (!ID.test(id)) throw new AppError('repository_not_found', 'There is no repository of this id.');
    const mirror = this.#mirrors.get(id) ?? {
      gitDir: join(this.#root, `${id}.git`),
      readers: 0,
      fetched: Promise.resolve(),
    };
    this.#mirrors.delete(id);
    this.#mirrors.set(id, mirror);
    mirror.readers += 1;
    try {
      const inTurn = (fetch: (origin: Origin) => Promise<void>): Promise<void> => {
        const mine = mirror.fetched.then(async () => fetch(await from()));
        mirror.fetched = mine.catch(() => undefined);
        return mine;
      };
      await inTurn((origin) => fetchRefs(mirror.gitDir, origin));
      return await work(mirror.gitDir, async (commit) => {
        if (!(await hasCommit(mirror.gitDir, commit)))
          await inTurn((origin) => fetchCommit(mirror.gitDir, origin, commit));
      });
    } finally {
      mirror.readers -= 1;
      await this.#forgetSome();
    }
  }

  async #forgetSome(): Promise<void> {
    const idle = [...this.#mirrors].filter(([, { readers }]) => readers === 0);
    for (const [id, mirror] of idle.slice(0, Math.max(0, idle.length - KEPT))) {
      // In line with fetches: a reader that comes meanwhile fetches it again behind this.
      mirror.fetched = mirror.fetched.then(async () => {
        if (mirror.readers === 0) await rm(mirror.gitDir, { recursive: true, force: true });
      });
      await mirror.fetched;
      if (mirror.readers === 0) this.#mirrors.delete(id);
    }
  }
}

/** Brings every ref of a repository into a folder, and what it has not of their objects; refs that are gone go. */
async function fetchRefs(gitDir: string, from: Origin): Promise<void> {
  try {
    await runTidily(gitDir, ['init', '--bare', '--quiet', '--template=', '--', gitDir]);
    await fetchInto(gitDir, from, ['--prune'], '+refs/*:refs/*');
  } catch (error) {
    throw error instanceof GitError ? new RepositoriesAwayError(error) : error;
  }
}

/** @throws RangeError for what is no id */
async function hasCommit(gitDir: string, commit: string): Promise<boolean> {
  try {
    await commitOf(gitDir, commit);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Git gives any object whose id one knows (protocol version 2). One that is nowhere is missed by who reads it. */
async function fetchCommit(gitDir: string, from: Origin, commit: string): Promise<void> {
  try {
    await fetchInto(gitDir, from, ['--no-write-fetch-head'], commit);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
  }
}

/** @throws GitError */
async function fetchInto(gitDir: string, from: Origin, more: readonly string[], what: string): Promise<void> {
  const { url, authorization } = from;
  const flags = ['--quiet', ...more, '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance'];
  const settings = [
    'protocol.version=2',
    'fetch.unpackLimit=1',
    'credential.helper=',
    'http.lowSpeedLimit=1000',
    'http.lowSpeedTime=60',
  ];
  const args = settings.flatMap((setting) => ['-c', setting]);
  const env = {
    GIT_ALLOW_PROTOCOL: new URL(url).protocol.slice(0, -1),
    // Not as an argument, which everybody on the machine may read.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${url}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
  };
  await runTidily(gitDir, ['--git-dir', gitDir, ...args, 'fetch', ...flags, '--', url, what], {
    env,
    timeoutMs: FETCH_MS,
  });
}

/**
 * Runs a git that writes to a copy, in the turn in which nobody else does. One that is cut off leaves half a pack, up to a gigabyte, and
 * locks, for which every later fetch would fail.
 * @throws GitError
 */
async function runTidily(gitDir: string, args: readonly string[], options?: GitOptions): Promise<void> {
  try {
    await runGit(args, options);
  } catch (error) {
    // Why git has failed says more than why its leftovers stay; the next failure clears them again.
    await clearLeftovers(gitDir).catch(() => undefined);
    throw error;
  }
}
