import type { GitUser } from '../repository/git-host.ts';
import type { BareRepository } from '../repository/repository-folder.ts';

/** A push into a repository of this host. */
export interface Push {
  readonly user: GitUser;
  readonly repository: BareRepository;
  /** The commits that branches are to have, by the names of the branches. */
  readonly branches: ReadonlyMap<string, string>;
  /** The objects that tags are to name, by the names of the tags. */
  readonly tags: ReadonlyMap<string, string>;
}

/** Who wants to know of pushes. */
export interface PushWatcher {
  /**
   * Called when git is done, before the one who pushes learns of it. Git may have refused some branches.
   * @returns what the one who pushes is shown, line by line
   */
  arrived(push: Push): Promise<readonly string[]>;
}

/** The branches and the tags among the refs of a push, each with what it is to name. */
export function namesOfPush(targets: ReadonlyMap<string, string>): Pick<Push, 'branches' | 'tags'> {
  const below = (folder: string): Map<string, string> =>
    new Map(
      [...targets].flatMap(([ref, object]) =>
        ref.startsWith(folder) ? [[ref.slice(folder.length), object] as const] : [],
      ),
    );
  return { branches: below('refs/heads/'), tags: below('refs/tags/') };
}
