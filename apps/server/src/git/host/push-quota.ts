import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitLimits } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { RecentMap } from '../../fairness/recent-map.ts';
import { LfsRoom, type RoomAside } from '../lfs/lfs-room.ts';
import { clearLeftovers } from '../repository/clear-leftovers.ts';
import { refsOf } from '../repository/read-refs.ts';
import { type BareRepository, PUSH_LIMIT, repositoriesOf } from '../repository/repository-folder.ts';
import type { PushCommands } from './push-commands.ts';

/** Bytes of a repository's objects on disk, what a push that was cut off left behind included. */
const sizeOf = (gitDir: string): Promise<number> => sizeOfFolder(join(gitDir, 'objects'));

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

/** @throws AppError quota_reached when an object needs more room than there is */
function checkObjectRoom(bytes: number, room: number): void {
  if (bytes <= room) return;
  throw reached(
    `The file needs ${inMib(bytes)} MiB, and your repositories have room for ${inMib(room)} MiB more.`,
    'REPOSITORY_MB and GIT_MB',
  );
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

/** @throws AppError quota_reached when the owner has as many repositories as allowed */
export function checkCount(count: number, limits: GitLimits): void {
  if (count < limits.repositories) return;
  throw reached(
    `You have ${count} repositories; ${limits.repositories} are allowed. Delete one on its page.`,
    'MAX_REPOSITORIES',
  );
}

/** More of one user wait for their turn than anybody pushes by hand. */
const WAITING = 16;
/** Repositories whose size is remembered, about 200 bytes each. */
const REMEMBERED = 20_000;

/** The right to bring something into repositories of one user, until it is given back. */
export interface PushTurn {
  /**
   * How many bytes the push may bring.
   * @throws AppError quota_reached when there is no room
   */
  roomFor(repository: BareRepository): Promise<number>;
  /**
   * Sets room aside for an object of Git LFS, which comes when the turn is over.
   * @throws AppError quota_reached when there is no room
   */
  setAside(repository: BareRepository, bytes: number): Promise<RoomAside>;
  /** @throws AppError quota_reached when the push would leave more refs than allowed; one that removes some may pass */
  checkRefs(repository: BareRepository, commands: PushCommands): Promise<void>;
  /** To be called when a repository is removed, or has another place. */
  forget(repository: BareRepository): void;
  /** To be called when nothing of the push is still to be written. */
  end(): void;
}

/**
 * What pushes may bring. Sizes and refs are read from the disk, so pushes of one user come one after another: what the
 * last one has brought is there when the next one is measured, and of many side by side only as many pass as there is room for.
 * Nothing here is measured outside a turn but for a message. Sizes of the repositories that are not pushed to are remembered.
 */
export class PushQuota {
  // How many run at a time for all is decided where the transfers are.
  readonly #turns = new FairSemaphore({
    most: Number.MAX_SAFE_INTEGER,
    perTenant: 1,
    waitingPerTenant: WAITING,
    what: 'pushes',
  });
  /** Bytes by folder, written within turns only. A push, which alone makes a repository larger, removes its entry. */
  readonly #sizes = new RecentMap<number>(REMEMBERED);
  readonly #lfs = new LfsRoom();
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
    const roomNow = (repository: BareRepository): Promise<number> =>
      this.#roomFor(
        repository,
        (gitDir) => this.#lfs.inTurn(gitDir),
        (gitDir, size) => this.#sizes.set(gitDir, size),
      );
    return {
      roomFor: async (repository) => {
        // No push of this user is under way: what is there of one was cut off with its git.
        await clearLeftovers(repository.gitDir);
        const room = await roomNow(repository);
        this.#sizes.delete(repository.gitDir);
        return room;
      },
      setAside: async (repository, bytes) => {
        checkObjectRoom(bytes, await roomNow(repository));
        return this.#lfs.setAside(repository.gitDir, bytes);
      },
      forget: ({ gitDir }) => {
        this.#sizes.delete(gitDir);
        this.#lfs.forget(gitDir);
      },
      checkRefs: ({ gitDir }, commands) => checkRefs(gitDir, commands, this.#limits),
      end,
    };
  }

  /**
   * Says before a push is made ready that there is no room for it. Whether there is room is decided when it comes.
   * @param bytes of an object, when it is one that comes
   * @throws AppError quota_reached
   */
  async warn(repository: BareRepository, bytes = 0): Promise<void> {
    const room = await this.#roomFor(
      repository,
      (gitDir) => this.#lfs.about(gitDir),
      () => undefined,
    );
    checkObjectRoom(bytes, room);
  }

  /**
   * How many bytes the next push may bring. Sizes that are remembered may be too large, never too small: git packs, and
   * repositories are removed. So where they would leave less room than the other bounds, everything is measured again.
   */
  async #roomFor(
    repository: BareRepository,
    lfsOf: (gitDir: string) => Promise<number>,
    remember: (gitDir: string, size: number) => void,
  ): Promise<number> {
    const { repositoryBytes, bytes } = this.#limits;
    const own = (await sizeOf(repository.gitDir)) + (await lfsOf(repository.gitDir));
    if (own >= repositoryBytes) {
      throw reached(
        `The repository has reached ${repositoryBytes / MIB} MiB, which is the most for one.`,
        'REPOSITORY_MB',
      );
    }
    const bound = Math.min(PUSH_LIMIT, repositoryBytes - own);
    const others = (await repositoriesOf(this.#root, repository.owner)).filter(
      ({ name }) => name !== repository.name,
    );
    const sum = async (known: (gitDir: string) => number | undefined): Promise<number> => {
      let all = own;
      for (const { gitDir } of others) {
        const size = known(gitDir) ?? (await sizeOf(gitDir));
        remember(gitDir, size);
        all += size + (await lfsOf(gitDir));
      }
      return all;
    };
    const remembered = bytes - (await sum((gitDir) => this.#sizes.get(gitDir)));
    if (remembered >= bound) return bound;
    const room = bytes - (await sum(() => undefined));
    if (room > 0) return Math.min(bound, room);
    throw reached(
      `Your repositories have reached ${bytes / MIB} MiB together, which is the most for one user.`,
      'GIT_MB',
    );
  }
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
