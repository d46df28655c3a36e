import type { GitUser } from '../repository/git-host.ts';
import type { BareRepository } from '../repository/repository-folder.ts';

/** A push into a repository of this host. */
export interface Push {
  readonly user: GitUser;
  readonly repository: BareRepository;
  /** The commits that branches are to have, by the names of the branches. */
  readonly branches: ReadonlyMap<string, string>;
}

/** Who wants to know of pushes. */
export interface PushWatcher {
  /**
   * Called when git is done, before the one who pushes learns of it. Git may have refused some branches.
   * @returns what the one who pushes is shown, line by line
   */
  arrived(push: Push): Promise<readonly string[]>;
}

const BRANCHES = 'refs/heads/';

/** The branches among the refs of a push, with their new commits. */
export function branchesOfPush(targets: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...targets].flatMap(([ref, commit]) =>
      ref.startsWith(BRANCHES) ? [[ref.slice(BRANCHES.length), commit] as const] : [],
    ),
  );
}
