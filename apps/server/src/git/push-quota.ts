import type { GitLimits } from '../config.ts';
import { AppError } from '../errors.ts';
import type { PushCommands } from './push-commands.ts';
import { refsOf } from './read-refs.ts';
import { type BareRepository, PUSH_LIMIT, repositoriesOf } from './repository-folder.ts';
import { sizeOf } from './repository-size.ts';

const MIB = 1024 * 1024;

function reached(message: string, setting: string): AppError {
  return new AppError('quota_reached', message, { detail: `The operator can change ${setting}.` });
}

/** @throws AppError quota_reached when the owner has as many repositories as allowed */
export function checkCount(count: number, limits: GitLimits): void {
  if (count < limits.repositories) return;
  throw reached(`You have ${count} repositories; ${limits.repositories} are allowed.`, 'MAX_REPOSITORIES');
}

/**
 * How many bytes the next push may bring.
 * @throws AppError quota_reached when there is no room
 */
export async function roomFor(root: string, repository: BareRepository, limits: GitLimits): Promise<number> {
  let all = 0;
  let own = 0;
  for (const each of await repositoriesOf(root, repository.owner)) {
    const size = await sizeOf(each.gitDir);
    all += size;
    if (each.name === repository.name) own = size;
  }
  if (own >= limits.repositoryBytes) {
    throw reached(
      `The repository has reached ${limits.repositoryBytes / MIB} MiB, which is the most for one.`,
      'REPOSITORY_MB',
    );
  }
  if (all >= limits.bytes) {
    throw reached(
      `Your repositories have reached ${limits.bytes / MIB} MiB together, which is the most for one user.`,
      'GIT_MB',
    );
  }
  return Math.min(PUSH_LIMIT, limits.repositoryBytes - own, limits.bytes - all);
}

/** @throws AppError quota_reached when a push would leave more refs than allowed; one that removes some may pass */
export async function checkRefs(gitDir: string, commands: PushCommands, limits: GitLimits): Promise<void> {
  const before = await refsOf(gitDir);
  const after = new Set([...before, ...commands.written]);
  for (const ref of commands.deleted) after.delete(ref);
  if (after.size <= limits.refs || after.size <= before.size) return;
  throw reached(
    `The repository would have ${after.size} branches and tags; ${limits.refs} are allowed. Delete some with 'git push --delete'.`,
    'MAX_REFS',
  );
}
