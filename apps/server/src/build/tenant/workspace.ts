import { chmod, lstat, mkdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildFolders, Sandbox, TenantBase } from '../sandbox.ts';
import { BuildError } from '../step-runner.ts';
import { placeOnDisk } from './disk-of.ts';
import { type AskFolder, FolderClient } from './folder-client.ts';
import { TenantFolder } from './tenant-folder.ts';

/** What workspaces are made with. */
export interface WorkspaceMachine {
  readonly sandbox: Pick<Sandbox, 'adopt' | 'open'>;
  /** Folder of what the server writes for builds, a folder for each. */
  readonly buildsFolder: string;
  /** Folder of what tenants shape, a folder for each of them. Nothing but the sandbox opens what is in one. */
  readonly tenantsFolder: string;
}

/** Which workspace: neither is a name that a tenant chooses. */
export interface WorkspaceName {
  /** Id of the user whose build it is, or a word of the server's. */
  readonly owner: string;
  readonly id: string;
}

/** The folders of a build, and those that its tenant's builds share. */
export interface Workspace extends BuildFolders {
  /** Folder of the project where that is only a part of the checkout; empty until then. */
  readonly project: TenantFolder;
  /** A folder in the place of the caches, for steps that get none of them. */
  readonly scratch: TenantFolder;
  /** Caches of package tools, which install steps of this tenant write. */
  readonly cache: TenantFolder;
  /** Installed packages that are kept for the tenant's next build; no step sees them. */
  readonly kept: TenantFolder;
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

/** Makes the folder of a tenant and those in it, all of them empty or as its builds have left them. */
class Tenant implements TenantBase {
  readonly owner: string;
  readonly #machine: WorkspaceMachine;
  readonly #root: string;
  #client: Promise<FolderClient> | null = null;

  constructor(machine: WorkspaceMachine, owner: string, root: string) {
    this.owner = owner;
    this.#machine = machine;
    this.#root = root;
  }

  readonly ask: AskFolder = async (request, options) => {
    this.#client ??= this.#machine.sandbox
      .open(this.#root, this)
      .then((program) => new FolderClient(program));
    return (await this.#client).ask(request, options);
  };

  /** Ends a folder program whose answers nobody wants any more; one that waits for requests stays. */
  async endBusy(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    if (client?.isIdle !== true) await this.end();
  }

  /** Ends the folder program; the next request starts another one. */
  async end(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await (await client?.catch(() => null))?.close();
  }
}

/**
 * Makes the folders of a build, empty, and starts what works on them.
 * @throws BuildError when an earlier attempt has left what cannot be removed
 */
export async function openWorkspace(
  machine: WorkspaceMachine,
  { owner, id }: WorkspaceName,
): Promise<Workspace> {
  if (!NAME.test(owner) || !NAME.test(id)) throw new TypeError('A workspace has a plain name.');
  const root = join(machine.buildsFolder, id);
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(machine.tenantsFolder, { recursive: true, mode: 0o700 });
  const disk = join(await realpath(machine.tenantsFolder), owner);
  const tenant = new Tenant(machine, owner, root);
  placeOnDisk(tenant, disk);
  const made: TenantFolder[] = [];
  const leftOver: TenantFolder[] = [];
  const folder = async (place: string): Promise<TenantFolder> => {
    const one = new TenantFolder(place, tenant.ask);
    placeOnDisk(one, join(disk, place));
    const isNew = !(await isFolder(join(disk, place)));
    if (isNew) await mkdir(join(disk, place));
    if (isNew) made.push(one);
    else if (place.startsWith('builds/')) leftOver.push(one);
    return one;
  };
  const build = `builds/${id}`;
  await mkdir(join(disk, build), { recursive: true });
  // Who may look at them is decided above, by the folder of all tenants; a build's user passes through these.
  for (const place of ['', 'builds', build]) await chmod(join(disk, place), 0o755);
  const [cache, kept] = [await folder(SHARED[0]), await folder(SHARED[1])];
  const [source, home, project, scratch] = [
    await folder(`${build}/${OF_BUILD[0]}`),
    await folder(`${build}/${OF_BUILD[1]}`),
    await folder(`${build}/${OF_BUILD[2]}`),
    await folder(`${build}/${OF_BUILD[3]}`),
  ];
  await machine.sandbox.adopt(root, made);
  const clear = async (folders: readonly TenantFolder[]): Promise<void> => {
    for (const one of folders)
      if ((await one.empty()) > 0)
        throw new BuildError('What an earlier attempt has written cannot be removed.');
  };
  const written = { id };
  placeOnDisk(written, join(disk, build));
  const workspace: Workspace = {
    root,
    written,
    source,
    home,
    project,
    scratch,
    cache,
    kept,
    async publish(to) {
      await tenant.end();
      await rename(join(disk, build, OF_BUILD[0]), to).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    },
    async remove() {
      await tenant.endBusy();
      const places = { source, home, project, scratch };
      const full: TenantFolder[] = [];
      for (const place of OF_BUILD)
        if (!(await isRemoved(join(disk, build, place)))) full.push(places[place]);
      try {
        await clear(full).catch(async () => {
          await tenant.end();
          await clear(full);
        });
      } finally {
        await tenant.end();
        for (const place of OF_BUILD) await isRemoved(join(disk, build, place));
        await isRemoved(join(disk, build));
        await rm(root, { recursive: true, force: true });
      }
    },
  };
  if (leftOver.length > 0) await clear(leftOver);
  return workspace;
}
