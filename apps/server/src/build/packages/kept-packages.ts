import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../remove-folder.ts';
import { folderBytes } from '../resource-watch.ts';
import { cachePath, type ProgramFolder } from '../sandbox.ts';
import { type BuildRun, runStep } from '../step-runner.ts';
import { isBerry } from './choose-tool.ts';
import type { InstallRoot } from './find-root.ts';

/**
 * Installed packages of one user, kept for the next build with the same lock file. They are copied in and out by steps
 * that run nothing of the project, so that no build can write what another reads, and the folder is the user's alone.
 */
export interface KeptPackages {
  /** Puts them into the checkout. @returns whether there were any */
  restore(): Promise<boolean>;
  /** Keeps what has just been installed. */
  save(): Promise<void>;
}

export interface KeptOptions {
  readonly root: InstallRoot;
  readonly legacyPeers: boolean;
  /** Folder on disk of the user's caches; the packages lie beside it. */
  readonly cache: string;
  readonly node: ProgramFolder | null;
}

/** Changes when what is kept would no longer be the same as an installation. */
const SCHEME = '1';
/** Files of a project that decide what is installed. */
const DECIDING = ['package.json', '.npmrc'];
/** Most trees of packages of a user, and most bytes of one of them. */
const MOST = 4;
const LARGEST = 1024 ** 3;
const PART = 'part-';

/** How the packages of a project are kept; null where they lie in many places, or no lock file says which they are. */
export async function keptPackages(run: BuildRun, options: KeptOptions): Promise<KeptPackages | null> {
  const { root, cache } = options;
  // Without a separate root the copies would be files that any build of the machine can write.
  if (root.workspaces || root.tool.lock === null || isBerry(root.tool) || !run.sandbox.ownRoot) return null;
  const folder = `${cache}-packages`;
  const key = await keyOf(run, options);
  const kept = join(folder, key);
  const installed = `./${join(root.folder, 'node_modules')}`;
  const copy = (argv: readonly string[]): Promise<number> =>
    runStep(run, { argv: ['cp', '-a', '--reflink=auto', ...argv], way: null, cache: folder, quiet: true });
  return {
    async restore() {
      if (
        !(await stat(kept).then(
          (found) => found.isDirectory(),
          () => false,
        ))
      )
        return false;
      if ((await copy([`${cachePath}/${key}`, installed])) !== 0) {
        await removeFolder(join(run.folders.source, root.folder, 'node_modules'));
        return false;
      }
      await utimes(kept, new Date(), new Date());
      return true;
    },
    async save() {
      const from = join(run.folders.source, root.folder, 'node_modules');
      if (
        !(await lstat(from).then(
          (found) => found.isDirectory(),
          () => false,
        ))
      )
        return;
      if ((await folderBytes(from, LARGEST)) > LARGEST) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const part = `${PART}${randomUUID()}`;
      const exitCode = await copy([installed, `${cachePath}/${part}`]);
      // Another build of the user may have been faster.
      if (exitCode === 0) await rename(join(folder, part), kept).catch(() => undefined);
      await removeFolder(join(folder, part));
      await forgetOldest(folder);
    },
  };
}

async function keyOf(run: BuildRun, { root, legacyPeers, node }: KeptOptions): Promise<string> {
  const { name, version, lock } = root.tool;
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.versions.node, node?.disk ?? ''];
  hash.update(JSON.stringify([SCHEME, ...machine, name, version, lock, legacyPeers]));
  for (const file of [...DECIDING, lock ?? '']) {
    const path = join(run.folders.source, root.folder, file);
    hash.update(`\0${file}\0`);
    if (
      !(await lstat(path).then(
        (found) => found.isFile(),
        () => false,
      ))
    )
      continue;
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

async function forgetOldest(folder: string): Promise<void> {
  const trees = await Promise.all(
    (await readdir(folder))
      .filter((name) => !name.startsWith(PART))
      .map(async (name) => ({ name, used: (await stat(join(folder, name))).mtimeMs })),
  );
  trees.sort((a, b) => b.used - a.used);
  for (const { name } of trees.slice(MOST)) await removeFolder(join(folder, name));
}
