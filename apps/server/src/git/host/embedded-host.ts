import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '@cannery/contract';
import type { GitLimits } from '../../config/config.ts';
import { AppError, notFound } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { codeAt } from '../repository/code-at.ts';
import { contentAt } from '../repository/content-at.ts';
import { type AskedRepository, type GitUser, RepositoryGoneError } from '../repository/git-host.ts';
import type { KnownRepository, RepositoryHost } from '../repository/repository-host.ts';
import { importFolder } from './import-folder.ts';
import { isRepositoryName, ownerOf } from '../repository/names.ts';
import { isOwnFolder } from './owner-mark.ts';
import { checkCount, PushQuota, type PushTurn } from './push-quota.ts';
import { readOwn } from '../repository/read-own.ts';
import { RecentLists } from '../repository/recent-lists.ts';
import { branchesOf } from '../repository/read-refs.ts';
import { setDefaultBranch } from '../repository/read-repository.ts';
import {
  type BareRepository,
  createRepository,
  createUnderFreeName,
  findById,
  findRepository,
  isGone,
  removeRepository,
  renameRepository,
  repositoriesOf,
  type RepositoryWatcher,
  settleLeftovers,
} from '../repository/repository-folder.ts';
import { idIfThere } from '../repository/repository-id.ts';
import { RepositoryHolds } from './repository-holds.ts';

/** The git host inside the product: bare repositories on disk, served over git's smart HTTP. */
export interface EmbeddedGitHost extends RepositoryHost {
  /** Folder that holds `<owner>/<name>.git`. */
  readonly root: string;
  /** Creates a repository of the user from a folder; a taken name gets '-2', '-3', ... */
  addFromFolder(user: GitUser, name: string, folder: string): Promise<Repository>;
  /**
   * Creates an empty repository of the user, or answers the one of that name.
   * @throws AppError quota_reached when the user has as many as allowed
   */
  create(user: GitUser, name: string): Promise<BareRepository>;
  /** What pushes may bring; a turn keeps everybody from changing repositories of the user. */
  readonly quota: PushQuota;
  /**
   * Brings to its end what a server that was killed has left half made, half renamed or half removed. To be called before
   * anybody is served.
   */
  tidyUp(watcher: RepositoryWatcher): Promise<void>;
  identify(asked: AskedRepository, user: GitUser): Promise<KnownRepository & BareRepository>;
  /** To be called when something was pushed into a repository of the user. */
  noteChange(user: GitUser): void;
  /** To be called when a file of Git LFS has come into a repository. */
  noteFile(repository: BareRepository): void;
  /** What one user may have here. */
  readonly limits: GitLimits;
  /** The repository when it exists and the user may read it, else null. */
  readable(owner: string, name: string, user: GitUser | null): Promise<BareRepository | null>;
}

/** Repositories of one list that are looked at together: their files take threads that everybody's files need. */
const LOOKED_AT_TOGETHER = 2;

/** Repositories that are being created, of all users together: each is a git process or a few. */
const CREATED_TOGETHER = 2;
/** How long a repository waits for a push or a build before it is not moved, in milliseconds: a person waits for the answer. */
const BUSY_MS = 5_000;
/** Looks for a repository by its id, each of which a rename may mislead, before it is given up. */
const MOST_LOOKS = 5;

const busy = (): AppError =>
  new AppError('repository_busy', 'This repository is being moved, or cannot be read at the moment.');

/** Opens the embedded git host. `publicUrl` answers the console's origin, without '/' at its end. */
export function createEmbeddedGitHost(options: {
  dataDir: string;
  /** Folder of the repositories, where it is not `git` in the data folder. */
  root?: string;
  publicUrl: () => string;
  limits: GitLimits;
  /** The folder of a starter template; undefined where there is none of that name. */
  templateFolder?: (template: string) => string | undefined;
  /** Told whenever something about the repositories of a user may have changed. */
  onChange?: (user: GitUser) => void;
  /** Told whenever something that is to be kept may have changed in the repositories of an owner. */
  onContent?: (owner: string) => void;
  /** Told that a repository is being removed, before its files go; told again after a crash. */
  onRemoving?: (id: string) => Promise<void>;
}): EmbeddedGitHost {
  const root = options.root ?? join(options.dataDir, 'git');

  const lists = new RecentLists<Repository[]>();
  const quota = new PushQuota(root, options.limits);
  const holds = new RepositoryHolds();

  // One at a time for each user, so that the count holds.
  const creations = new FairSemaphore({
    most: CREATED_TOGETHER,
    perTenant: 1,
    waitingPerTenant: 20,
    what: 'new repositories',
  });

  /** The one way by which a list is given up, so that whoever is to know of a change does. */
  function changed(user: GitUser): void {
    lists.forget(user.id);
    options.onChange?.(user);
    options.onContent?.(ownerOf(user));
  }

  const watched = (watcher: RepositoryWatcher): RepositoryWatcher => ({
    renamed: (id, name) => watcher.renamed(id, name),
    async removed(id) {
      await options.onRemoving?.(id);
      await watcher.removed(id);
    },
  });

  function creating<T>(user: GitUser, work: () => Promise<T>): Promise<T> {
    return creations.take(userTenant(user.id), async () => {
      if (!(await isOwnFolder(root, user)))
        throw new AppError(
          'already_exists',
          `There are repositories of somebody else under '${ownerOf(user)}'. Ask the operator of this console.`,
        );
      checkCount((await repositoriesOf(root, ownerOf(user))).length, options.limits);
      return work().finally(() => changed(user));
    });
  }

  async function described(repository: BareRepository): Promise<Repository> {
    const [head] = await branchesOf(repository.gitDir);
    return {
      name: repository.name,
      private: true,
      owner: { login: repository.owner },
      url: `${options.publicUrl()}/${repository.owner}/${repository.name}.git`,
      default_branch: head ?? null,
    };
  }

  async function listed(user: GitUser): Promise<Repository[]> {
    if (!(await isOwnFolder(root, user))) return [];
    const found = await repositoriesOf(root, ownerOf(user));
    const dated: { repository: Repository; changed: number }[] = [];
    for (let next = 0; next < found.length; next += LOOKED_AT_TOGETHER) {
      const some = found.slice(next, next + LOOKED_AT_TOGETHER);
      dated.push(
        ...(await Promise.all(
          some.map(async (one) => ({
            repository: await described(one),
            changed: await lastChange(one.gitDir),
          })),
        )),
      );
    }
    dated.sort((a, b) => b.changed - a.changed || a.repository.name.localeCompare(b.repository.name));
    return dated.map(({ repository }) => repository);
  }

  async function readable(owner: string, name: string, user: GitUser | null): Promise<BareRepository | null> {
    const isNamed = user !== null && ownerOf(user).toLowerCase() === owner.toLowerCase();
    return isNamed && (await isOwnFolder(root, user)) ? findRepository(root, owner, name) : null;
  }

  async function withId(
    { owner, name, id }: AskedRepository & { readonly id: string },
    user: GitUser,
  ): Promise<BareRepository> {
    for (let look = 1; look <= MOST_LOOKS; look += 1) {
      const own = await findById(root, ownerOf(user), { id, name });
      if (own !== null) return own;
      if (await isGone(root, ownerOf(user), id)) throw new RepositoryGoneError({ owner, name, id });
    }
    throw busy();
  }

  async function required({ owner, name, id }: AskedRepository, user: GitUser): Promise<BareRepository> {
    if (id !== undefined && (await isOwnFolder(root, user))) return withId({ owner, name, id }, user);
    const repository = await readable(owner, name, user);
    if (repository === null) {
      throw new AppError(
        'repository_not_found',
        `There is no repository ${owner}/${name}, or it is not yours. Your repositories are under '${ownerOf(user)}'.`,
      );
    }
    return repository;
  }

  /** Does what changes the place of a repository, when no push of the user is under way and no build reads it. */
  async function inTurn<T>(
    user: GitUser,
    from: AskedRepository,
    work: (repository: BareRepository, turn: PushTurn) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(BUSY_MS);
    const turn = await quota.enter(userTenant(user.id), signal).catch((error: unknown) => {
      throw signal.aborted
        ? new AppError('repository_busy', 'A push to one of your repositories is under way.')
        : error;
    });
    try {
      const repository = await required(from, user);
      const moved = await holds.move(repository.gitDir, BUSY_MS, () => work(repository, turn));
      if (moved === null)
        throw new AppError('repository_busy', 'A deploy reads this repository at the moment.');
      return moved.done;
    } finally {
      turn.end();
      changed(user);
    }
  }

  /** @throws AppError not_found */
  async function addFromFolder(user: GitUser, name: string, folder: string): Promise<Repository> {
    const owner = ownerOf(user);
    return creating(user, async () => {
      const repository = await createUnderFreeName(root, owner, name, (gitDir, candidate) =>
        importFolder(gitDir, folder, `Start of ${candidate}`),
      );
      if (repository !== null) return described(repository);
      throw new AppError('already_exists', `There are too many repositories named ${name} already.`);
    });
  }

  return {
    root,
    limits: options.limits,
    quota,
    readable,
    tidyUp: (watcher) => settleLeftovers(root, watched(watcher)),

    remove: (user, from, watcher) =>
      inTurn(user, from, async (repository, turn) => {
        turn.forget(repository);
        await removeRepository(repository, watched(watcher));
      }),

    rename: (user, from, name, watcher) =>
      inTurn(user, from, async (repository, turn) => {
        if (!isRepositoryName(name)) {
          throw new AppError(
            'invalid_input',
            "A repository has a name of letters, digits, '-', '_' and '.', which neither begins nor ends with '-' or '.'.",
          );
        }
        turn.forget(repository);
        // No new repository takes the name meanwhile.
        const result = await creations.take(userTenant(user.id), () =>
          renameRepository(root, repository, name, watcher),
        );
        if ('taken' in result)
          throw new AppError('already_exists', `You have a repository ${result.taken.name} already.`);
        return described(result.renamed);
      }),

    async setDefaultBranch(user, from, branch) {
      const turn = await quota.enter(userTenant(user.id));
      try {
        const repository = await required(from, user);
        if (!(await branchesOf(repository.gitDir)).includes(branch)) throw notFound('Branch');
        await setDefaultBranch(repository.gitDir, branch);
        return await described(repository);
      } finally {
        turn.end();
        changed(user);
      }
    },

    async create(user, name) {
      return creating(user, () => createRepository(root, ownerOf(user), name));
    },

    listRepositories: (user) => lists.of(user.id, () => listed(user)),
    noteChange: changed,
    noteFile: ({ owner }) => options.onContent?.(owner),
    async branches(asked, user) {
      return branchesOf((await required(asked, user)).gitDir);
    },
    async identify(asked, user) {
      // It may get another name, or go, between the two.
      for (let look = 1; look <= MOST_LOOKS; look += 1) {
        const repository = await required(asked, user);
        const id = await idIfThere(repository.gitDir);
        if (id !== null) return { ...repository, id };
      }
      throw busy();
    },
    reading: (asked, user, work) => holds.read(() => required(asked, user), work),
    addFromFolder,
    async addTemplate(user, template) {
      const folder = options.templateFolder?.(template);
      if (folder === undefined) throw notFound('Starter template');
      return addFromFolder(user, template, folder);
    },
    async find({ owner, name }, user) {
      const repository = await readable(owner, name, user);
      const id = repository === null ? null : await idIfThere(repository.gitDir);
      return repository === null || id === null ? null : { ...repository, id };
    },
    code: ({ owner, repo, ...asked }, user) =>
      readOwn(
        () => readable(owner, repo, user),
        (repository) => codeAt(repository, asked),
      ),
    content: ({ owner, repo, branch }, user) =>
      readOwn(
        () => readable(owner, repo, user),
        (repository) => contentAt(repository, branch),
      ),
  };
}

/** Every push writes into the folder of branch heads. */
async function lastChange(gitDir: string): Promise<number> {
  const times = await Promise.all(
    ['refs/heads', 'packed-refs', 'config'].map((file) =>
      stat(join(gitDir, file)).then(
        (found) => found.mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(...times);
}
