import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../errors.ts';
import { BuildError } from '../build-error.ts';
import { bound, freeOf, isSound, loopOf, makeImage } from './image-file.ts';
import type { MountSpace } from './mount-space.ts';
import { Residents } from './residents.ts';
import type { Resident, TenantDisk } from './tenant-disk.ts';
import type { UserIds } from './user-ids.ts';

/** What a build may write. */
export interface DiskLimits {
  /** Bytes. */
  readonly bytes: number;
  /** Files and folders. */
  readonly entries: number;
}

/** What the caches and installed packages of a tenant may hold besides, in bytes: beyond it a build begins without them. */
const KEPT_BYTES = 8 * 1024 ** 3;
/** The same for files and folders, as a part of those of a build. */
const KEPT_ENTRIES = 1 / 4;
/** Bytes of a block as stat(2) counts them. */
const BLOCK_BYTES = 512;
/** What a build has removed is given back to the machine's disk when it may be more than this, in bytes. */
const TRIM_BYTES = 16 * 1024 ** 2;
/** Most disks that stay mounted while no build has them. */
const MOST_MOUNTED = 16;
/** The folder program of the disk that is ready starts so long after the disk, in milliseconds: a build begins beside it. */
const READY_MS = 1_500;
/** Name of the tenant of the disk that is ready for the next one; none has it. */
const NOBODY = '+';
const NAME = /^([\w-]{1,100}|\+)\.(\d{1,9})\.(idle|taken)$/;

interface Disk {
  readonly user: number;
  readonly owner: string;
  /** Its loop device; null while it is not mounted. */
  loop: string | null;
  /** Bytes of the machine's disk that it had when what was removed in it was given back last. */
  trimmed?: number;
}

/** A mounted disk that no tenant has had, as a program of the server's is started on it. */
export type FreshDisk = Pick<TenantDisk, 'own' | 'mounted' | 'entry'> & { readonly user: number };

export interface ImageStoreOptions {
  readonly space: MountSpace;
  /** Folder of the server's. */
  readonly folder: string;
  readonly users: UserIds;
  /** What a build may write at most. */
  readonly most: DiskLimits;
  /** Told of a disk that could not be given back in order. */
  readonly warn: (reason: string) => void;
}

/**
 * Disks of builds: file systems in files of the server's. A running build has one to itself, with a user that nothing else
 * has, and the kernel gives it no more bytes and inodes than its limits. What it caches stays on the disk for the next
 * build of the same tenant; the name of the file records whose it is, which user has it, and whether a build has it.
 */
export class ImageStore {
  readonly #options: ImageStoreOptions;
  readonly #fileBytes: number;
  readonly #entries: number;
  /** Disks that no build has, by their users; the last used is the last. */
  readonly #idle = new Map<number, Disk>();
  /** Folder programs on disks that no build has. */
  readonly #residents = new Residents<number>();
  #startResident: ((disk: FreshDisk) => Promise<Resident>) | null = null;
  /** Work that nobody waits for. */
  #pending: Promise<unknown> = Promise.resolve();

  private constructor(options: ImageStoreOptions) {
    this.#options = options;
    const { bytes, entries } = options.most;
    this.#fileBytes = bytes + KEPT_BYTES;
    this.#entries = Math.ceil(entries * (1 + KEPT_ENTRIES));
  }

  /**
   * Opens the disks of a folder and has one ready.
   * @throws Error where no disk can be made or mounted
   */
  static async open(options: ImageStoreOptions): Promise<ImageStore> {
    const store = new ImageStore(options);
    await store.#load();
    await store.#prepareSpare();
    return store;
  }

  #fileOf({ owner, user }: Disk, state: 'idle' | 'taken'): string {
    return join(this.#options.folder, `${owner}.${user}.${state}`);
  }

  #placeOf({ user }: Disk): string {
    return join(this.#options.folder, 'at', String(user));
  }

  /** What a former server has left: a disk that a build had is of no use, and one that was not unmounted in order neither. */
  async #load(): Promise<void> {
    const { folder, users } = this.#options;
    await mkdir(join(folder, 'at'), { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) {
      const [, owner, user, state] = NAME.exec(name) ?? [];
      if (owner === undefined) continue;
      const isKept = state === 'idle' && (await isSound(join(folder, name), this.#fileBytes));
      if (isKept) this.#idle.set(Number(user), { owner, user: Number(user), loop: null });
      else await rm(join(folder, name));
    }
    await users.keepDisks(new Set(this.#idle.keys()));
  }

  /** The disk of a tenant that was used last. */
  #idleOf(owner: string): Disk | undefined {
    const disk = [...this.#idle.values()].findLast((one) => one.owner === owner);
    if (disk !== undefined) this.#idle.delete(disk.user);
    return disk;
  }

  /** @throws Error when it cannot be made, or all ids are taken */
  async #make(owner: string): Promise<Disk> {
    const { users } = this.#options;
    let user = await users.claim('disk');
    while (user === null) {
      const oldest = this.#oldest();
      if (oldest === undefined) throw new Error('no id of a user is left');
      await this.#destroy(oldest, 'idle');
      user = await users.claim('disk');
    }
    const disk: Disk = { owner, user, loop: null };
    try {
      await makeImage(this.#fileOf(disk, 'idle'), { bytes: this.#fileBytes, entries: this.#entries });
      await this.#mount(disk);
      return disk;
    } catch (error) {
      await this.#destroy(disk, 'idle');
      throw error;
    }
  }

  /** The disk that no build has had for the longest time. */
  #oldest(): Disk | undefined {
    const [oldest] = this.#idle.values();
    if (oldest !== undefined) this.#idle.delete(oldest.user);
    return oldest;
  }

  async #prepareSpare(): Promise<void> {
    const spare = this.#idleOf(NOBODY) ?? (await this.#make(NOBODY));
    try {
      await this.#mount(spare);
      this.#idle.set(spare.user, spare);
      this.#readySoon(spare);
    } catch (error) {
      await this.#destroy(spare, 'idle');
      throw error;
    }
  }

  /** Has a folder program ready on the disk for the next tenant: it is started a while after the disk. */
  keepReady(start: (disk: FreshDisk) => Promise<Resident>): void {
    this.#startResident = start;
    for (const disk of this.#idle.values()) if (disk.owner === NOBODY) this.#readySoon(disk);
  }

  #readySoon(spare: Disk): void {
    setTimeout(() => this.#later(() => this.#ready(spare)), READY_MS).unref();
  }

  async #ready(spare: Disk): Promise<void> {
    const isThere = (): boolean => this.#idle.get(spare.user) === spare && spare.loop !== null;
    if (this.#startResident === null || !isThere() || this.#residents.has(spare.user)) return;
    const resident = await this.#startResident({ user: spare.user, ...this.#seen(spare) });
    if (isThere()) this.#residents.stay(spare.user, resident);
    else await resident.close();
  }

  /** How a disk is found. */
  #seen(disk: Disk): Omit<FreshDisk, 'user'> {
    const { space } = this.#options;
    const place = this.#placeOf(disk);
    return { own: space.seen(place), mounted: place, entry: space.entry };
  }

  async #mount(disk: Disk): Promise<void> {
    if (disk.loop !== null) return;
    const { space } = this.#options;
    const place = this.#placeOf(disk);
    await mkdir(place, { recursive: true, mode: 0o700 });
    // No barriers and no tables written in advance: a disk that was not unmounted in order is thrown away.
    const options = 'loop,nosuid,nodev,noatime,nobarrier,noinit_itable';
    const file = this.#fileOf(disk, 'idle');
    await space.run('mount', ['-t', 'ext4', '-o', options, '--', file, place]);
    disk.loop = await loopOf(space.seen(place), file);
  }

  /**
   * A disk for a build that starts: one that a former build of the tenant has left, or an empty one.
   * @param less what the kernel lets the build write, where it is less than the store was opened with
   * @throws BuildError when none can be made
   */
  async take(owner: string, less: Partial<DiskLimits> = {}): Promise<TenantDisk> {
    const limits = { ...this.#options.most, ...less };
    for (let disk = this.#idleOf(owner); disk !== undefined; disk = this.#idleOf(owner))
      if (await this.#isReady(disk, limits)) return this.#taken(disk);
    const ready = this.#idleOf(NOBODY);
    // One may just be on its way.
    if (ready === undefined) await this.#pending;
    const spare = ready ?? this.#idleOf(NOBODY);
    try {
      const given = spare === undefined ? null : await this.#given(spare, owner);
      this.#later(() => this.#prepareSpare());
      if (given !== null && (await this.#isReady(given, limits))) return await this.#taken(given);
      const disk = await this.#make(owner);
      if (await this.#isReady(disk, limits)) return await this.#taken(disk);
      throw new Error('a new one has no room');
    } catch (error) {
      throw new BuildError(
        `The disk of the build could not be made: ${textOf(error)}. Deploy again, or tell the operator.`,
      );
    }
  }

  /** Gives the disk of nobody to a tenant. */
  async #given(spare: Disk, owner: string): Promise<Disk> {
    const disk = { ...spare, owner };
    await rename(this.#fileOf(spare, 'idle'), this.#fileOf(disk, 'idle'));
    return disk;
  }

  /** Whether a disk has the room of a build, which it then has exactly; one that has not is thrown away. */
  async #isReady(disk: Disk, limits: DiskLimits): Promise<boolean> {
    try {
      await this.#mount(disk);
      const place = this.#options.space.seen(this.#placeOf(disk));
      const { bytes, entries } = await freeOf(place);
      const left = await readdir(join(place, 'builds')).catch(() => []);
      if (bytes >= limits.bytes && entries >= limits.entries && left.length === 0) {
        await bound(disk.loop, limits.bytes, place);
        return true;
      }
    } catch (error) {
      this.#options.warn(textOf(error));
    }
    await this.#destroy(disk, 'idle');
    return false;
  }

  async #taken(disk: Disk): Promise<TenantDisk> {
    await rename(this.#fileOf(disk, 'idle'), this.#fileOf(disk, 'taken'));
    const size = (): Promise<number> => this.#size(disk);
    const before = await size();
    let isReleased = false;
    return {
      ...this.#seen(disk),
      user: disk.user,
      resident: this.#residents.take(disk.user),
      isBounded: true,
      isFormer: false,
      written: async () => (await size()) - before,
      release: async (isEmpty, resident = null) => {
        if (isReleased) return resident?.close();
        isReleased = true;
        if (resident !== null) this.#residents.leave(disk.user, resident);
        if (!isEmpty || !(await this.#putBack(disk))) await this.#destroy(disk, 'taken');
      },
    };
  }

  /** Bytes of the machine's disk that a disk has which a build has. */
  async #size(disk: Disk): Promise<number> {
    return (await stat(this.#fileOf(disk, 'taken'))).blocks * BLOCK_BYTES;
  }

  /** Gives what was removed in a disk back to the machine's, where that is worth a program. */
  async #trim(disk: Disk): Promise<void> {
    if ((await this.#size(disk)) - (disk.trimmed ?? 0) <= TRIM_BYTES) return;
    await this.#options.space.run('fstrim', ['--', this.#placeOf(disk)]);
    disk.trimmed = await this.#size(disk);
  }

  async #putBack(disk: Disk): Promise<boolean> {
    const { warn } = this.#options;
    try {
      await this.#trim(disk);
      await rename(this.#fileOf(disk, 'taken'), this.#fileOf(disk, 'idle'));
    } catch (error) {
      warn(textOf(error));
      return false;
    }
    this.#idle.set(disk.user, disk);
    const mounted = [...this.#idle.values()].filter(({ loop }) => loop !== null);
    for (const old of mounted.slice(0, Math.max(0, mounted.length - MOST_MOUNTED)))
      this.#later(() => this.#rest(old));
    return true;
  }

  /** Unmounts a disk that no build has. */
  async #rest(disk: Disk): Promise<void> {
    if (!this.#idle.delete(disk.user)) return;
    await this.#unmount(disk);
    this.#idle.set(disk.user, disk);
  }

  async #unmount(disk: Disk): Promise<void> {
    await this.#residents.end(disk.user);
    if (disk.loop === null) return;
    await this.#options.space.run('umount', ['--', this.#placeOf(disk)]);
    disk.loop = null;
  }

  /** Throws a disk away. Its user is free again only when nothing is mounted any more that belongs to it. */
  async #destroy(disk: Disk, state: 'idle' | 'taken'): Promise<void> {
    try {
      await this.#unmount(disk);
      await rm(this.#fileOf(disk, state), { force: true });
      // Never the removal of what is in it: a folder that something is mounted on stays.
      await rmdir(this.#placeOf(disk)).catch(() => undefined);
      await this.#options.users.release(disk.user);
    } catch (error) {
      this.#options.warn(textOf(error));
      await rm(this.#fileOf(disk, state), { force: true });
    }
  }

  #later(work: () => Promise<void>): void {
    this.#pending = this.#pending.then(work).catch((error: unknown) => this.#options.warn(textOf(error)));
  }

  /** Throws away what no build has had for so long, in milliseconds. */
  async forget(age: number): Promise<void> {
    for (const disk of this.#idle.values()) {
      const found = await stat(this.#fileOf(disk, 'idle')).catch(() => null);
      const isOld = found !== null && Date.now() - found.mtimeMs > age && disk.owner !== NOBODY;
      if (isOld && this.#idle.delete(disk.user)) await this.#destroy(disk, 'idle');
    }
  }

  /** Unmounts all that no build has. */
  async close(): Promise<void> {
    await this.#pending;
    await Promise.all([...this.#idle.values()].map((disk) => this.#unmount(disk).catch(() => undefined)));
    this.#idle.clear();
  }
}
