import { chmod, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderDisk, type Resident, type TenantDisk } from './tenant-disk.ts';
import type { DiskRoom, RoomShare, Waiting } from './disk-room.ts';
import type { DiskLimits, FreshDisk, ImageStore } from './image-store.ts';
import { type BuildFolders, defaultLimits, type Sandbox, type TenantBase } from '../sandbox/sandbox.ts';
import { BuildError } from '../build-error.ts';
import { placeOnDisk } from '../tenant/disk-of.ts';
import { type AskFolder, FolderClient } from '../tenant/folder-client.ts';
import { TenantFolder } from '../tenant/tenant-folder.ts';

/** What workspaces are made with. */
export interface WorkspaceMachine {
  readonly sandbox: Pick<Sandbox, 'adopt' | 'open' | 'hasUsers'>;
  /** Folder of what the server writes for builds, a folder for each. */
  readonly buildsFolder: string;
  /** Folder of what tenants shape, a folder for each of them. Nothing but the sandbox opens what is in one. */
  readonly tenantsFolder: string;
  /** Disks that the kernel bounds, one for each running build; where there are none, builds are in the folders of tenants. */
  readonly images?: ImageStore | undefined;
  /** The room that builds share, for those that reserve some. */
  readonly room?: DiskRoom | undefined;
}

/** Which workspace: neither is a name that a tenant chooses. */
export interface WorkspaceName {
  /** Id of the user whose build it is, or a word of the server's. */
  readonly owner: string;
  readonly id: string;
  /** What may be written on a disk that the kernel bounds, where it is less than builds may. */
  readonly limits?: DiskLimits;
  /** Whether room on the disk is set aside for it, for which it may have to wait. */
  readonly reserve?: Waiting;
}

/** The folders of a build, and those that its tenant's builds share. */
export interface Workspace extends BuildFolders {
  /** Folder of the project where that is only a part of the checkout; empty until then. */
  readonly project: TenantFolder;
  /** A folder instead of the caches, for steps that get none of them. */
  readonly scratch: TenantFolder;
  /** Caches of package tools, which install steps of this tenant write. */
  readonly cache: TenantFolder;
  /** Installed packages that are kept for the tenant's next build; no step sees them. */
  readonly kept: TenantFolder;
  /** Starts what works on the folders, which takes some hundredths of a second, ahead of the first request. */
  warmUp(): void;
  /** Ends the folder program, which may have failed; the next request starts another one. */
  restart(): Promise<void>;
  /**
   * Moves the source folder to a folder that the server alone writes; no step sees it from then on but read-only.
   * @param to where nothing is yet; it stays as it is when another build was faster
   */
  publish(to: string): Promise<void>;
  /** Ends the folder program, empties what the build has written and removes its folders. */
  remove(): Promise<void>;
}

/** Folders of one build, below `builds/ID` of its tenant. */
const OF_BUILD = ['source', 'home', 'project', 'scratch'] as const;
/** Folders that builds of one tenant share. */
const SHARED = ['cache', 'packages'] as const;
const NAME = /^[\w-]{1,100}$/;

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Removes an empty folder. @returns whether it is gone */
async function isRemoved(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** Whether a folder program answers. */
function isThere(program: Resident): Promise<boolean> {
  return program.ask({ op: 'kind', place: SHARED[0], path: '' }).then(
    () => true,
    () => false,
  );
}

/** Makes the folder of a tenant and those in it, all of them empty or as its builds have left them. */
class Tenant implements TenantBase {
  readonly owner: string;
  readonly user: number | null;
  readonly entry: readonly string[];
  readonly #machine: WorkspaceMachine;
  /** Folder of the build that the server alone writes. */
  readonly root: string;
  #client: Promise<Resident> | null = null;
  /** A program that was left on the disk, until it is asked for the first time. */
  #resident: Resident | null;

  constructor(machine: WorkspaceMachine, owner: string, root: string, disk: TenantDisk) {
    this.owner = owner;
    this.user = disk.user;
    this.entry = disk.entry;
    this.#machine = machine;
    this.root = root;
    this.#resident = disk.resident;
    placeOnDisk(this, disk.own, disk.mounted);
  }

  readonly ask: AskFolder = async (request, options) => (await this.start()).ask(request, options);

  /** Starts the folder program, if it is not there yet. */
  start(): Promise<Resident> {
    this.#client ??= this.#open();
    return this.#client;
  }

  async #open(): Promise<Resident> {
    const resident = this.#resident;
    this.#resident = null;
    // It may have been killed since it was left.
    if (resident !== null && (await isThere(resident))) return resident;
    await resident?.close();
    return new FolderClient(await this.#machine.sandbox.open(this.root, this));
  }

  /** Ends a folder program whose answers nobody wants any more; one that waits for requests stays. */
  async endBusy(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    if (client?.isIdle === false) await this.end();
  }

  /** Leaves the folder program to others, if it waits for requests; else it is ended. */
  async leave(): Promise<Resident | null> {
    const client = await this.#take();
    if (client?.isIdle === true) return client;
    await client?.close();
    return null;
  }

  /** Ends the folder program; the next request starts another one. */
  async end(): Promise<void> {
    await (await this.#take())?.close();
  }

  async #take(): Promise<Resident | null> {
    const taken = this.#client ?? this.#resident;
    this.#client = null;
    this.#resident = null;
    return Promise.resolve(taken).catch(() => null);
  }
}

/** Empties folders of the tenant. @throws BuildError when something stays */
async function clear(folders: readonly TenantFolder[]): Promise<void> {
  for (const one of folders)
    if ((await one.empty()) > 0)
      throw new BuildError('What an earlier attempt has written cannot be removed.');
}

/**
 * Removes what builds of a tenant have left that ran as the one user of all builds: the user that comes now could not
 * read it, and it is for nobody else to give files away that a tenant has shaped.
 */
async function clearFormer(tenant: Tenant, disk: TenantDisk): Promise<void> {
  const builds = await readdir(join(disk.own, 'builds')).catch(() => []);
  const places = builds.flatMap((build) => OF_BUILD.map((place) => `builds/${build}/${place}`));
  try {
    for (const place of [...SHARED, ...places]) {
      if (!(await isFolder(join(disk.own, place)))) continue;
      await clear([new TenantFolder(place, tenant.ask)]);
      await rmdir(join(disk.own, place));
    }
  } finally {
    await tenant.end();
  }
}

let turn: Promise<unknown> = Promise.resolve();

/** Does one after the other. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** The disk of a build: one that the kernel bounds, or the folder of its tenant. */
async function diskFor(
  machine: WorkspaceMachine,
  { owner, limits }: WorkspaceName,
  root: string,
  share: RoomShare | null,
): Promise<TenantDisk> {
  if (machine.images !== undefined)
    return machine.images.take(owner, { ...limits, ...(share === null ? {} : { bytes: share.bytes }) });
  const { tenantsFolder, sandbox } = machine;
  return inTurn(async () => {
    const disk = await folderDisk(tenantsFolder, owner, sandbox.hasUsers);
    if (!disk.isFormer) return disk;
    await clearFormer(new Tenant(machine, owner, root, disk), disk);
    return folderDisk(tenantsFolder, owner, sandbox.hasUsers);
  });
}

/** Starts a folder program on a disk that no tenant has had, in a folder of the server's that is gone when it works. */
export async function startResident(
  { sandbox, buildsFolder }: WorkspaceMachine,
  disk: FreshDisk,
): Promise<Resident> {
  const root = join(buildsFolder, `ready-${disk.user}`);
  const base = { owner: `ready-${disk.user}`, user: disk.user, entry: disk.entry };
  placeOnDisk(base, disk.own, disk.mounted);
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    const client = new FolderClient(await sandbox.open(root, base));
    await isThere(client);
    return client;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Makes the folders of a build, empty, and starts what works on them.
 * @throws BuildError when an earlier attempt has left what cannot be removed, and when there is no disk for the build
 */
export async function openWorkspace(machine: WorkspaceMachine, name: WorkspaceName): Promise<Workspace> {
  const { owner, id } = name;
  if (!NAME.test(owner) || !NAME.test(id)) throw new TypeError('A workspace has a plain name.');
  const root = join(machine.buildsFolder, id);
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true, mode: 0o700 });
  const { room } = machine;
  const most = name.limits?.bytes ?? defaultLimits.diskBytes;
  const share = (name.reserve && (await room?.reserve(most, name.reserve))) ?? null;
  let disk: TenantDisk | undefined;
  try {
    disk = await diskFor(machine, name, root, share);
    share?.measureBy(disk.written);
    return await makeWorkspace(machine, { owner, id, root, disk, share });
  } catch (error) {
    await disk?.release(false);
    share?.giveBack();
    throw error;
  }
}

interface Placed {
  readonly owner: string;
  readonly id: string;
  readonly root: string;
  readonly disk: TenantDisk;
  readonly share: RoomShare | null;
}

async function makeWorkspace(
  machine: WorkspaceMachine,
  { owner, id, root, disk, share }: Placed,
): Promise<Workspace> {
  const tenant = new Tenant(machine, owner, root, disk);
  const onDisk = (place: string): string => join(disk.own, place);
  const made: TenantFolder[] = [];
  const leftOver: TenantFolder[] = [];
  const folder = async (place: string): Promise<TenantFolder> => {
    const one = new TenantFolder(place, tenant.ask);
    placeOnDisk(one, onDisk(place), join(disk.mounted, place));
    const isNew = !(await isFolder(onDisk(place)));
    if (isNew) await mkdir(onDisk(place));
    if (place.startsWith('builds/')) (isNew ? made : leftOver).push(one);
    return one;
  };
  const build = `builds/${id}`;
  await mkdir(onDisk(build), { recursive: true });
  // Who may look at them is decided above, by the folder of all tenants; a build's user passes through these.
  for (const place of ['builds', build]) await chmod(onDisk(place), 0o755);
  // Another build of the tenant may be opened at the same moment.
  const [cache, kept] = await inTurn(async () => {
    const shared = [await folder(SHARED[0]), await folder(SHARED[1])] as const;
    // Also those that are there: a server that was killed may have made them and not got here.
    await machine.sandbox.adopt(shared, disk.user);
    return shared;
  });
  const [source, home, project, scratch] = [
    await folder(`${build}/${OF_BUILD[0]}`),
    await folder(`${build}/${OF_BUILD[1]}`),
    await folder(`${build}/${OF_BUILD[2]}`),
    await folder(`${build}/${OF_BUILD[3]}`),
  ];
  await machine.sandbox.adopt(made, disk.user);
  const written = { id, isBounded: disk.isBounded, mostBytes: share?.bytes ?? Infinity };
  placeOnDisk(written, onDisk(build), join(disk.mounted, build));
  const workspace: Workspace = {
    root,
    user: disk.user,
    entry: disk.entry,
    written,
    source,
    home,
    project,
    scratch,
    cache,
    kept,
    warmUp() {
      // The first request tells why it cannot be started.
      tenant.start().catch(() => undefined);
    },
    restart: () => tenant.end(),
    async publish(to) {
      await tenant.end();
      await rename(onDisk(`${build}/${OF_BUILD[0]}`), to).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    },
    async remove() {
      await tenant.endBusy();
      const places = { source, home, project, scratch };
      const full: TenantFolder[] = [];
      for (const place of OF_BUILD)
        if (!(await isRemoved(onDisk(`${build}/${place}`)))) full.push(places[place]);
      try {
        await clear(full).catch(async () => {
          await tenant.end();
          await clear(full);
        });
      } finally {
        const resident = await tenant.leave();
        for (const place of OF_BUILD) await isRemoved(onDisk(`${build}/${place}`));
        await disk.release(await isRemoved(onDisk(build)), resident);
        share?.giveBack();
        await rm(root, { recursive: true, force: true });
      }
    },
  };
  try {
    if (leftOver.length > 0) await clear(leftOver);
    return workspace;
  } catch (error) {
    await tenant.end();
    throw error;
  }
}
