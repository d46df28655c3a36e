import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '@cannery/contract';
import type { GitLimits } from '../../config/config.ts';
import { AppError, notFound } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import type { GitHost, GitUser } from '../repository/git-host.ts';
import { importFolder } from './import-folder.ts';
import { isRepositoryName, ownerOf } from '../repository/names.ts';
import { checkCount, PushQuota, type PushTurn } from './push-quota.ts';
import { RecentLists } from '../repository/recent-lists.ts';
import { branchesOf } from '../repository/read-refs.ts';
import { setDefaultBranch } from '../repository/read-repository.ts';
import {
  type BareRepository,
  createNewRepository,
  createRepository,
  findRepository,
  removeLeftovers,
  removeRepository,
  renameRepository,
  repositoriesOf,
} from '../repository/repository-folder.ts';

/** The git host inside the product: bare repositories on disk, served over git's smart HTTP. */
export interface EmbeddedGitHost extends GitHost {
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
   * Removes a repository of the user, when no push of the user is under way.
   * @throws AppError repository_not_found; rate_limited when too many wait for their turn
   */
  remove(user: GitUser, owner: string, name: string): Promise<void>;
  /**
   * Gives a repository of the user another name, when no push of the user is under way.
   * @param move is called before, with both names: what knows the repository by its name goes along
   * @throws AppError repository_not_found; invalid_input for a name that none may have; already_exists; what `move` throws
   */
  rename(
    user: GitUser,
    from: { readonly owner: string; readonly name: string },
    name: string,
    move: (from: BareRepository, name: string) => Promise<void>,
  ): Promise<Repository>;
  /**
   * Makes another branch of a repository of the user the default one, when no push of the user is under way.
   * @throws AppError repository_not_found; not_found for a branch that it does not have
   */
  setDefaultBranch(user: GitUser, owner: string, name: string, branch: string): Promise<Repository>;
  /** Removes what a server that was killed has left half made or half removed. To be called before anybody is served. */
  tidyUp(): Promise<void>;
  /** To be called when something was pushed into a repository of the owner. */
  noteChange(owner: string): void;
  /** What one user may have here. */
  readonly limits: GitLimits;
  /** The repository when it exists and the user may read it, else null. */
  readable(owner: string, name: string, user: GitUser | null): Promise<BareRepository | null>;
}

/** Repositories of one list that are looked at together: their files take threads that everybody's files need. */
const LOOKED_AT_TOGETHER = 2;

/** Repositories that are being created, of all users together: each is a git process or a few. */
const CREATED_TOGETHER = 2;
/** Tries before a new repository's name is given up. */
const MAX_SUFFIX = 1_000;

/** Opens the embedded git host. `publicUrl` answers the console's origin, without '/' at its end. */
export function createEmbeddedGitHost(options: {
  dataDir: string;
  publicUrl: () => string;
  limits: GitLimits;
}): EmbeddedGitHost {
  const root = join(options.dataDir, 'git');

  const lists = new RecentLists<Repository[]>();
  const quota = new PushQuota(root, options.limits);

  // One at a time for each user, so that the count holds.
  const creations = new FairSemaphore({
    most: CREATED_TOGETHER,
    perTenant: 1,
    waitingPerTenant: 20,
    what: 'new repositories',
  });

  function creating<T>(user: GitUser, work: () => Promise<T>): Promise<T> {
    return creations.take(userTenant(user.id), async () => {
      checkCount((await repositoriesOf(root, ownerOf(user))).length, options.limits);
      return work().finally(() => lists.forget(ownerOf(user)));
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

  async function listed(owner: string): Promise<Repository[]> {
    const found = await repositoriesOf(root, owner);
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
    const isOwn = user !== null && ownerOf(user).toLowerCase() === owner.toLowerCase();
    return isOwn ? findRepository(root, owner, name) : null;
  }

  async function required(owner: string, name: string, user: GitUser): Promise<BareRepository> {
    const repository = await readable(owner, name, user);
    if (repository === null) {
      throw new AppError(
        'repository_not_found',
        `There is no repository ${owner}/${name}, or it is not yours. Your repositories are under '${ownerOf(user)}'.`,
      );
    }
    return repository;
  }

  /** Does what changes the place of a repository, when no push of the user is under way. */
  async function inTurn<T>(user: GitUser, work: (turn: PushTurn) => Promise<T>): Promise<T> {
    const turn = await quota.enter(userTenant(user.id));
    try {
      return await work(turn);
    } finally {
      turn.end();
      lists.forget(ownerOf(user));
    }
  }

  return {
    root,
    limits: options.limits,
    quota,
    readable,
    tidyUp: () => removeLeftovers(root),

    remove: (user, owner, name) =>
      inTurn(user, async (turn) => {
        const repository = await required(owner, name, user);
        turn.forget(repository);
        await removeRepository(repository);
      }),

    rename: (user, from, name, move) =>
      inTurn(user, async (turn) => {
        const repository = await required(from.owner, from.name, user);
        if (!isRepositoryName(name)) {
          throw new AppError(
            'invalid_input',
            "A repository has a name of letters, digits, '-', '_' and '.', which neither begins nor ends with '-' or '.'.",
          );
        }
        const taken = await findRepository(root, repository.owner, name);
        if (taken !== null && taken.gitDir !== repository.gitDir)
          throw new AppError('already_exists', `You have a repository ${taken.name} already.`);
        await move(repository, name);
        turn.forget(repository);
        const renamed = await renameRepository(root, repository, name);
        if (renamed === null) throw new AppError('already_exists', `You have a repository ${name} already.`);
        return described(renamed);
      }),

    setDefaultBranch: (user, owner, name, branch) =>
      inTurn(user, async () => {
        const repository = await required(owner, name, user);
        if (!(await branchesOf(repository.gitDir)).includes(branch)) throw notFound('Branch');
        await setDefaultBranch(repository.gitDir, branch);
        return described(repository);
      }),

    async create(user, name) {
      return creating(user, () => createRepository(root, ownerOf(user), name));
    },

    listRepositories: (user) => lists.of(ownerOf(user), () => listed(ownerOf(user))),
    noteChange: (owner) => lists.forget(owner),
    async branches(owner, name, user) {
      return branchesOf((await required(owner, name, user)).gitDir);
    },
    async cloneSource(owner, name, user) {
      return { gitDir: (await required(owner, name, user)).gitDir };
    },
    async addFromFolder(user, name, folder) {
      const owner = ownerOf(user);
      return creating(user, async () => {
        for (let suffix = 1; suffix <= MAX_SUFFIX; suffix += 1) {
          const candidate = suffix === 1 ? name : `${name}-${suffix}`;
          const repository = await createNewRepository(root, owner, candidate, (gitDir) =>
            importFolder(gitDir, folder, `Start of ${candidate}`),
          );
          if (repository !== null) return described(repository);
        }
        throw new AppError('already_exists', `There are ${MAX_SUFFIX} repositories named ${name} already.`);
      });
    },
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
