import type { Repository } from '@cannery/contract';
import { AppError } from '../../errors.ts';
import type { LfsSource } from '../lfs/lfs-object.ts';

/** There is no repository any more that has a recorded id. @param last the name that it had when it was seen last */
export function repositoryDeleted(last: { readonly owner: string; readonly name: string }): AppError {
  return new AppError('repository_deleted', `The repository ${last.owner}/${last.name} was deleted.`);
}

/**
 * No repository of its owner has a recorded id any more: proven by what lies on disk, and not by a name. Who gets it may
 * record that the repository is gone.
 */
export class RepositoryGoneError extends AppError {
  readonly id: string;

  constructor({ owner, name, id }: { readonly owner: string; readonly name: string; readonly id: string }) {
    const { code, message } = repositoryDeleted({ owner, name });
    super(code, message);
    this.id = id;
  }
}

/** Who asks; repositories that are not public answer to their owner only. */
export interface GitUser {
  readonly id: string;
  readonly username: string;
}

/** Where the checkout of a build takes its objects from: a bare repository that this server keeps. */
export interface CloneSource {
  readonly gitDir: string;
  /** Where its files of Git LFS are, when they do not lie in that folder. */
  readonly lfs?: LfsSource;
  /**
   * Brings a commit that no branch leads to any more, where the folder is a copy of what the branches have. A commit that is nowhere
   * is missing in the folder afterwards.
   * @param id the whole id of the commit
   */
  readonly bring?: (id: string) => Promise<void>;
}

/** Lends what to check a commit out from, which stays where it is until `work` ends. @throws what `work` throws */
export type Lend = <T>(work: (source: CloneSource) => Promise<T>) => Promise<T>;

/** A repository as it is asked for: by its id where one is recorded, whatever its name is now; else by its name. */
export interface AskedRepository {
  readonly owner: string;
  readonly name: string;
  readonly id?: string | undefined;
}

/** The party that keeps source code: the embedded host, or a provider such as GitHub. */
export interface GitHost {
  /** Repositories of the user, newest change first. */
  listRepositories(user: GitUser): Promise<Repository[]>;
  /**
   * Branches of a repository, its default branch first; empty while nothing was pushed.
   * @throws AppError `repository_not_found` for one that does not exist or that the user may not see.
   */
  branches(asked: AskedRepository, user: GitUser): Promise<string[]>;
  /**
   * Lends what to check a build out from, which stays where it is until `work` ends.
   * @throws AppError `repository_not_found` for one that does not exist or that the user may not see, `repository_busy` where that
   *   cannot be told; RepositoryGoneError for an id that none has any more; what `work` throws
   */
  reading<T>(asked: AskedRepository, user: GitUser, work: (source: CloneSource) => Promise<T>): Promise<T>;
}
