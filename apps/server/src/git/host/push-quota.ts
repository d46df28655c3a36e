import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitLimits } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { refsOf } from '../repository/read-refs.ts';
import { type BareRepository, PUSH_LIMIT, repositoriesOf } from '../repository/repository-folder.ts';
import type { PushCommands } from './push-commands.ts';

/** Bytes of a repository's objects on disk, what a push that was cut off left behind included. */
async function sizeOf(gitDir: string): Promise<number> {
  return sizeOfFolder(join(gitDir, 'objects'));
}

/** One file at a time: other tenants' files need the same few threads. */
async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A file may go at any time: git packs while it is looked at.
    bytes += entry.isDirectory()
      ? await sizeOfFolder(path)
      : await stat(path).then(
          ({ size }) => size,
          () => 0,
        );
  }
  return bytes;
}

const MIB = 1024 * 1024;

function reached(message: string, setting: string): AppError {
  return new AppError('quota_reached', message, { detail: `The operator can change ${setting}.` });
}

/** @throws AppError quota_reached when the owner has as many repositories as allowed */
export function checkCount(count: number, limits: GitLimits): void {
  if (count < limits.repositories) return;
  throw reached(`You have ${count} repositories; ${limits.repositories} are allowed.`, 'MAX_REPOSITORIES');
}

/** More of one user wait for their turn than anybody pushes by hand. */
const WAITING = 16;

/** The right to bring something into repositories of one user, until it is given back. */
export interface PushTurn {
  /**
   * How many bytes the push may bring.
   * @throws AppError quota_reached when there is no room
   */
  roomFor(repository: BareRepository): Promise<number>;
  /** @throws AppError quota_reached when the push would leave more refs than allowed; one that removes some may pass */
  checkRefs(repository: BareRepository, commands: PushCommands): Promise<void>;
  /** To be called when nothing of the push is still to be written. */
  end(): void;
}

/**
 * What pushes may bring. Sizes and refs are read from the disk, so pushes of one user come one after another: what the
 * last one has brought is there when the next one is measured, and of many side by side only as many pass as there is room for.
 * Nothing here is measured outside a turn but for a message.
 */
export class PushQuota {
  // How many run at a time for all is decided where the transfers are.
  readonly #turns = new FairSemaphore({
    most: Number.MAX_SAFE_INTEGER,
    perTenant: 1,
    waitingPerTenant: WAITING,
    what: 'pushes',
  });
  readonly #root: string;
  readonly #limits: GitLimits;

  /** @param root the folder of all repositories */
  constructor(root: string, limits: GitLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Waits until no other push of the user is under way.
   * @throws AppError rate_limited when too many wait already; the signal's reason when it aborts first
   */
  async enter(tenant: string, signal?: AbortSignal): Promise<PushTurn> {
    const end = await this.#turns.enter(tenant, signal);
    return {
      roomFor: (repository) => roomFor(this.#root, repository, this.#limits),
      checkRefs: ({ gitDir }, commands) => checkRefs(gitDir, commands, this.#limits),
      end,
    };
  }

  /**
   * Says before a push is made ready that there is no room for it. Whether there is room is decided when it comes.
   * @throws AppError quota_reached
   */
  async warn(repository: BareRepository): Promise<void> {
    await roomFor(this.#root, repository, this.#limits);
  }
}

/** How many bytes the next push may bring. */
async function roomFor(root: string, repository: BareRepository, limits: GitLimits): Promise<number> {
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

async function checkRefs(gitDir: string, commands: PushCommands, limits: GitLimits): Promise<void> {
  const before = await refsOf(gitDir);
  const after = new Set([...before, ...commands.written]);
  for (const ref of commands.deleted) after.delete(ref);
  if (after.size <= limits.refs || after.size <= before.size) return;
  throw reached(
    `The repository would have ${after.size} branches and tags; ${limits.refs} are allowed. Delete some with 'git push --delete'.`,
    'MAX_REFS',
  );
}
