import type { Repository } from '@cannery/contract';

/** Who asks; repositories that are not public answer to their owner only. */
export interface GitUser {
  readonly id: string;
  readonly username: string;
}

/** Where the checkout of a build takes its objects from: a bare repository that this server keeps. */
export interface CloneSource {
  readonly gitDir: string;
}

/** The party that keeps source code: the embedded host, or a provider such as GitHub. */
export interface GitHost {
  /** Repositories of the user, newest change first. */
  listRepositories(user: GitUser): Promise<Repository[]>;
  /**
   * Branches of a repository, its default branch first; empty while nothing was pushed.
   * @throws AppError `repository_not_found` for one that does not exist or that the user may not see.
   */
  branches(owner: string, repo: string, user: GitUser): Promise<string[]>;
  /**
   * What to check a build out from.
   * @throws AppError `repository_not_found` for one that does not exist or that the user may not see.
   */
  cloneSource(owner: string, repo: string, user: GitUser): Promise<CloneSource>;
}
