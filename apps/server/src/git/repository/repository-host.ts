import type { Repository, RepositoryCode } from '@cannery/contract';
import type { AskedCode } from './code-at.ts';
import type { ShownContent } from './content-at.ts';
import type { AskedRepository, GitHost, GitUser } from './git-host.ts';
import type { RepositoryWatcher } from './repository-folder.ts';

/** A repository of the embedded git host: its present name, and the id that it keeps under whatever name. */
export interface KnownRepository {
  readonly owner: string;
  readonly name: string;
  readonly id: string;
}

/** The git host of the product as every process has it, whether the repositories are here or at a process of the role `git`. */
export interface RepositoryHost extends GitHost {
  /** The repository of that name, when it exists and the user may read it, else null. */
  find(named: Pick<AskedRepository, 'owner' | 'name'>, user: GitUser): Promise<KnownRepository | null>;
  /**
   * The repository that the user asks for, with its id.
   * @throws AppError repository_not_found; RepositoryGoneError where it is asked for by an id that none has any more;
   *   repository_busy where that cannot be told
   */
  identify(asked: AskedRepository, user: GitUser): Promise<KnownRepository>;
  /**
   * Creates a repository of the user from a starter template; a taken name gets '-2', '-3', ...
   * @throws AppError not_found for a template that there is not; quota_reached
   */
  addTemplate(user: GitUser, template: string): Promise<Repository>;
  /**
   * Removes a repository of the user, when nothing is being pushed by the user and no build reads it.
   * @param watcher is told by the process that has the repository
   * @throws AppError repository_not_found; repository_busy; rate_limited when too many wait for their turn
   */
  remove(user: GitUser, from: AskedRepository, watcher: RepositoryWatcher): Promise<void>;
  /**
   * Gives a repository of the user another name, when nothing is being pushed by the user and no build reads it.
   * @param watcher is told by the process that has the repository
   * @throws AppError repository_not_found; repository_busy; invalid_input for a name that none may have; already_exists;
   *   rate_limited when too many wait for their turn
   */
  rename(user: GitUser, from: AskedRepository, name: string, watcher: RepositoryWatcher): Promise<Repository>;
  /**
   * Makes another branch of a repository of the user the default one, when no push of the user is under way.
   * @throws AppError repository_not_found; not_found for a branch that it does not have; rate_limited when too many wait for
   *   their turn
   */
  setDefaultBranch(user: GitUser, from: AskedRepository, branch: string): Promise<Repository>;
  /**
   * What one of the user's repositories has at a path of a commit: a file, or the entries of a folder.
   * @throws AppError not_found for a repository that is not the user's, and for a commit or path that it does not have
   */
  code(asked: AskedCode, user: GitUser): Promise<RepositoryCode>;
  /**
   * What a repository of the user has at a branch, or at its default one.
   * @throws AppError not_found for a repository that is not the user's, and for a branch that it does not have
   */
  content(
    asked: { readonly owner: string; readonly repo: string; readonly branch?: string | undefined },
    user: GitUser,
  ): Promise<ShownContent>;
}
