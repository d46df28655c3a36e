import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '@cannery/contract';
import { AppError } from '../errors.ts';
import type { GitHost, GitUser } from './git-host.ts';
import { importFolder } from './import-folder.ts';
import { ownerOf } from './owner.ts';
import { branchesOf } from './read-repository.ts';
import {
  type BareRepository,
  createNewRepository,
  findRepository,
  repositoriesOf,
} from './repository-folder.ts';
import { Turns } from './turns.ts';

/** The git host inside the product: bare repositories on disk, served over git's smart HTTP. */
export interface EmbeddedGitHost extends GitHost {
  /** Folder that holds `<owner>/<name>.git`. */
  readonly root: string;
  /** Creates a repository of the user from a folder; a taken name gets '-2', '-3', ... */
  addFromFolder(user: GitUser, name: string, folder: string): Promise<Repository>;
  /** The repository when it exists and the user may read it, else null. */
  readable(owner: string, name: string, user: GitUser | null): Promise<BareRepository | null>;
}

/** Processes that describe repositories of a list, for all callers together: more would keep other work waiting. */
export const LISTING_PROCESSES = 4;

/** Tries before a new repository's name is given up. */
const MAX_SUFFIX = 1_000;

/** Opens the embedded git host. `publicUrl` answers the console's origin, without '/' at its end. */
export function createEmbeddedGitHost(options: {
  dataDir: string;
  publicUrl: () => string;
}): EmbeddedGitHost {
  const root = join(options.dataDir, 'git');
  const listing = new Turns(LISTING_PROCESSES);

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

  return {
    root,
    readable,
    async listRepositories(user) {
      const found = await repositoriesOf(root, ownerOf(user));
      const dated = await Promise.all(
        found.map(async (repository) => ({ repository, changed: await lastChange(repository.gitDir) })),
      );
      dated.sort((a, b) => b.changed - a.changed || a.repository.name.localeCompare(b.repository.name));
      return Promise.all(dated.map(({ repository }) => listing.take(() => described(repository))));
    },
    async branches(owner, name, user) {
      return branchesOf((await required(owner, name, user)).gitDir);
    },
    async cloneSource(owner, name, user) {
      return { gitDir: (await required(owner, name, user)).gitDir };
    },
    async addFromFolder(user, name, folder) {
      const owner = ownerOf(user);
      for (let suffix = 1; suffix <= MAX_SUFFIX; suffix += 1) {
        const candidate = suffix === 1 ? name : `${name}-${suffix}`;
        const repository = await createNewRepository(root, owner, candidate, (gitDir) =>
          importFolder(gitDir, folder, `Start of ${candidate}`),
        );
        if (repository !== null) return described(repository);
      }
      throw new AppError('already_exists', `There are ${MAX_SUFFIX} repositories named ${name} already.`);
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
