import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { FairSemaphore } from '../fairness/fair-semaphore.ts';
import { isOwnerSegment } from '../git/repository/names.ts';
import { type BareRepository, repositoriesOf } from '../git/repository/repository-folder.ts';
import { idIfThere } from '../git/repository/repository-id.ts';
import type { Logger } from '../log/logger.ts';
import { repositoryCopies, repositoryCopiesWaiting, repositoryCopyAge } from '../metrics/instruments.ts';
import { manifestsBelow, objectsBelow, readManifestKey } from './copy-format.ts';
import { copyRepository, type CopyPlace, forgetCopy, isCopied, markerOf } from './copy-repository.ts';
import { changedFor } from './repository-state.ts';
import { forgetRemoved, removedIds } from './removed-repositories.ts';

/** Between a change and the look at what it was, in milliseconds: more changes of that time are copied together. */
const SOON_MS = 1_000;
/** Longest pause after a copy that failed, in milliseconds; the first one is as long as {@link SOON_MS}, then each is twice the last. */
const MOST_PAUSE_MS = 30_000;
/** Between looks at everything, in milliseconds: for changes of which nobody has told, and for what the bucket has lost. */
const LOOK_MS = 10 * 60_000;
/** Owners whose repositories are copied beside each other. Each is a git and a file at a time. */
const OWNERS_AT_ONCE = 2;
/** For so long the end of copies is waited for when the process stops, in milliseconds: a service may be silent. */
const STOP_MS = 3_000;

/** An owner with something that is not copied. Times are of the clock that never runs back. */
interface Waiting {
  /** When the oldest change came that no copy has. */
  since: number;
  /** When the first change came during the copy that is under way. */
  later: number | undefined;
  isRunning: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps a copy of every repository of a folder in a bucket. Whoever changes something tells of it and does not wait. What is not
 * copied is known from the disk alone, by comparison, so nothing is forgotten when the process is killed.
 */
export class RepositoryCopies {
  readonly #root: string;
  readonly #place: CopyPlace;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #soonMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Set<Promise<void>>();
  /** Ends of what is under way with the copy of a repository, by its id. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #stopped = new AbortController();
  readonly #owners = new FairSemaphore({
    most: OWNERS_AT_ONCE,
    perTenant: 1,
    waitingPerTenant: 1,
    what: 'copies of repositories',
  });
  #looks: Promise<void> = Promise.resolve();

  /** @param root the folder of repositories */
  constructor(root: string, place: CopyPlace, log: Pick<Logger, 'warn'>, soonMs = SOON_MS) {
    this.#root = root;
    this.#soonMs = soonMs;
    this.#place = place;
    this.#log = log;
  }

  /** Looks at everything, now and then again, until it is stopped. */
  start(): void {
    repositoryCopyAge.follow(() => this.oldestSeconds());
    repositoryCopiesWaiting.follow(() => this.#waiting.size);
    this.#looks = this.#lookNowAndThen();
  }

  /** For how long the oldest change is not copied, in seconds; 0 when everything is. */
  oldestSeconds(): number {
    const now = performance.now();
    let since = now;
    for (const each of this.#waiting.values()) since = Math.min(since, each.since);
    return (now - since) / 1000;
  }

  /** To be called when something in the repositories of an owner may have changed. */
  changed(owner: string): void {
    this.#want(owner, performance.now());
  }

  /** To be called when it is written down that a repository was removed. */
  removed(): void {
    this.#run(
      this.#settleRemoved().catch((error: unknown) => {
        setTimeout(() => this.#stopped.signal.aborted || this.removed(), MOST_PAUSE_MS).unref();
        throw error;
      }),
    );
  }

  /** Ends copying. What is under way is ended by the process; nothing it has begun counts without its manifest. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    const ended = Promise.allSettled([this.#looks, ...this.#running]);
    await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })]);
    this.#place.objects.close();
    repositoryCopyAge.follow(() => 0);
    repositoryCopiesWaiting.follow(() => 0);
  }

  #want(owner: string, since: number): void {
    if (this.#stopped.signal.aborted) return;
    const key = owner.toLowerCase();
    const known = this.#waiting.get(key);
    if (known === undefined) {
      this.#waiting.set(key, { since, later: undefined, isRunning: false, failures: 0, timer: undefined });
      this.#schedule(key, this.#soonMs);
    } else if (known.isRunning) known.later = Math.min(known.later ?? since, since);
    else known.since = Math.min(known.since, since);
  }

  #schedule(key: string, ms: number): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined || this.#stopped.signal.aborted) return;
    waiting.timer = setTimeout(() => this.#run(this.#copyOwner(key, waiting)), ms);
    waiting.timer.unref();
  }

  #run(work: Promise<void>): void {
    const run = work
      .catch((error: unknown) => {
        if (!this.#stopped.signal.aborted)
          this.#log.warn({ err: error }, 'copies of repositories are behind');
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #copyOwner(key: string, waiting: Waiting): Promise<void> {
    const leave = await this.#owners.enter(key, this.#stopped.signal);
    waiting.isRunning = true;
    let isDone = false;
    try {
      isDone = await this.#copyAllOf(key);
    } finally {
      leave();
      waiting.isRunning = false;
      if (isDone && waiting.later === undefined) this.#waiting.delete(key);
      else {
        // What failed is as old as it was.
        if (isDone) waiting.since = waiting.later ?? waiting.since;
        waiting.later = undefined;
        waiting.failures = isDone ? 0 : waiting.failures + 1;
        const pause = isDone ? this.#soonMs : SOON_MS * 2 ** Math.min(waiting.failures - 1, 10);
        this.#schedule(key, Math.min(MOST_PAUSE_MS, pause));
      }
    }
  }

  /** @returns whether everything is copied */
  async #copyAllOf(owner: string): Promise<boolean> {
    let isDone = true;
    for (const repository of await repositoriesOf(this.#root, owner)) {
      this.#stopped.signal.throwIfAborted();
      try {
        await this.#copy(repository);
      } catch (error) {
        // The others go on: what fails may be in this one only.
        isDone = false;
        repositoryCopies.add({ result: 'failed' });
        const { owner: login, name } = repository;
        this.#log.warn({ err: error, repository: `${login}/${name}` }, 'a repository could not be copied');
      }
    }
    return isDone;
  }

  async #copy(repository: BareRepository): Promise<void> {
    const id = await idIfThere(repository.gitDir);
    if (id === null) return;
    await this.#inTurn(id, async () => {
      if ((await isCopied(repository, this.#place)) !== false) return;
      if ((await copyRepository(repository, this.#place)) !== null)
        repositoryCopies.add({ result: 'copied' });
    });
  }

  /** A copy is made, or removed, by one at a time. */
  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.catch(() => undefined);
    this.#turns.set(id, ended);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(id) === ended) this.#turns.delete(id);
    }
  }

  async #lookNowAndThen(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const wasWhole = await this.#look().catch((error: unknown) => {
        if (!signal.aborted)
          this.#log.warn({ err: error }, 'repositories could not be compared with their copies');
        return false;
      });
      const pause = wasWhole ? LOOK_MS : MOST_PAUSE_MS;
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Finds everything that is not copied. @returns whether the bucket could be asked as well */
  async #look(): Promise<boolean> {
    let newest: Map<string, string> | undefined;
    let failure: unknown;
    try {
      newest = await this.#newestManifests();
    } catch (error) {
      failure = error;
    }
    for (const owner of await readdir(this.#root)) {
      if (!isOwnerSegment(owner)) continue;
      for (const repository of await repositoriesOf(this.#root, owner)) {
        this.#stopped.signal.throwIfAborted();
        await this.#compare(repository, newest);
      }
    }
    if (failure !== undefined) throw failure;
    await this.#settleRemoved();
    return true;
  }

  async #compare(repository: BareRepository, newest: Map<string, string> | undefined): Promise<void> {
    const id = await idIfThere(repository.gitDir);
    if (id === null) return;
    const marker = await markerOf(repository.gitDir);
    if (newest !== undefined && marker !== undefined && newest.get(id) !== marker.manifest) {
      // A copy that was made since the bucket was asked is made once more, which sends its manifest only.
      await this.#inTurn(id, () => forgetCopy(repository.gitDir));
      this.#want(repository.owner, performance.now());
    } else if ((await isCopied(repository, this.#place)) === false) {
      const age = await changedFor(repository.gitDir, marker?.at);
      this.#want(repository.owner, performance.now() - age);
    }
  }

  /** The manifest of each repository in the bucket; none where there are several, of which some were to go. */
  async #newestManifests(): Promise<Map<string, string>> {
    const { objects, folder } = this.#place;
    const found = new Map<string, string>();
    for await (const key of objects.list(manifestsBelow(folder))) {
      const manifest = readManifestKey(key);
      if (manifest !== undefined) found.set(manifest.id, found.has(manifest.id) ? '' : key);
    }
    return found;
  }

  /** Removes the copies of repositories that were removed: the state first, so that no half of one can be brought back. */
  async #settleRemoved(): Promise<void> {
    const { objects, folder } = this.#place;
    for (const id of await removedIds(this.#root))
      await this.#inTurn(id, async () => {
        for (const prefix of [manifestsBelow(folder, id), objectsBelow(folder, id)])
          for await (const key of objects.list(prefix)) {
            if (!this.#place.holds()) return;
            await objects.remove(key);
          }
        await forgetRemoved(this.#root, id);
      });
  }
}
