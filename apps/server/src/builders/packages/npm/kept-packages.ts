import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { z } from 'zod';
import type { BuildRun } from '../../step/step-runner.ts';
import { checked } from '../../tenant/tenant-folder.ts';
import { isBerry } from './choose-tool.ts';
import type { InstallRoot } from './find-root.ts';
import type { PreparedTools } from './prepare-tools.ts';

/**
 * Installed packages, kept for the next build of the same deploy with the same lock file. A build gets the folder itself, and it
 * is kept again when the build has changed nothing in it; so no build reads what the commands of another one have written. Where builds
 * do change it, they get a copy. Install scripts have written in it before, and those may run code of the project: no other deploy
 * is given it, not even one of the same user.
 */
export interface KeptPackages {
  /** Puts them into the checkout. @returns whether there were any */
  restore(): Promise<boolean>;
  /** Keeps what has just been installed, when the run is over. */
  save(): Promise<void>;
}

export interface KeptOptions {
  readonly root: InstallRoot;
  readonly legacyPeers: boolean;
  readonly tools: PreparedTools;
  /** Id of the deploy. */
  readonly deployId: string;
}

/** Changes when what is kept would no longer be the same as an installation. */
const SCHEME = '1';
/** Files of a project that decide what is installed. */
const DECIDING = ['package.json', '.npmrc'];
/** Most trees of packages of a user, and most bytes of one of them. */
const MOST = 4;
const LARGEST = 1024 ** 3;
/** Most files and folders of one of them; the largest of a public project seen has 60,000. */
const MOST_ENTRIES = 300_000;
const PART = 'part-';
/** Ends the name of an empty file, after the key of packages that a build has changed: from then on they are copied. */
const COPIED = '.copied';
/** Most of these files. */
const MOST_COPIED = 20;
/** How long looking through packages, or removing some, may take, in milliseconds. */
const FORGET_MS = 10 * 60 * 1000;

const KEY = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/) });
const STATE = z.object({ state: z.enum(['same', 'changed', 'large', 'none']) });

/** How the packages of a project are kept; null where they lie in many places, or no lock file says which they are. */
export async function keptPackages(run: BuildRun, options: KeptOptions): Promise<KeptPackages | null> {
  const { root } = options;
  // Without a separate root the copies would be files that any build of the machine can write.
  if (root.workspaces || root.tool.lock === null || isBerry(root.tool) || !run.sandbox.ownRoot) return null;
  const { source, kept, scratch } = run.folders;
  // A command of the build may have put a link to somewhere else there.
  if (!(await source.isFolder(root.folder))) return null;
  const key = await keyOf(run, options);
  const place = posix.join(root.folder, 'node_modules');
  const mark = `${key}${COPIED}`;
  const isCopied = async (): Promise<boolean> => (await kept.kindOf(mark)) === 'file';
  const forgetOldest = async (): Promise<void> => {
    const numbers = { most: MOST, mark: COPIED, mostMarks: MOST_COPIED };
    await kept.ask({ op: 'forget', except: PART, ...numbers }, { timeoutMs: FORGET_MS });
  };
  const saveNow = async (): Promise<void> => {
    if ((await source.bytes(place, LARGEST)) > LARGEST) return;
    const part = `${PART}${randomUUID()}`;
    // Another build of the user may have been faster.
    if (await source.copy(place, { folder: kept, path: part }))
      await kept.move(part, { folder: kept, path: key });
    await kept.remove(part);
    await forgetOldest();
  };
  const saveLater = async (): Promise<void> => {
    const id = randomUUID();
    await source.note(place, { id, scratch });
    run.afterwards(async () => {
      const limits = { mostEntries: MOST_ENTRIES, mostBytes: LARGEST };
      const { result } = await source.ask(
        { op: 'compare', path: place, id, ...limits },
        { timeoutMs: FORGET_MS },
      );
      const { state } = checked(STATE, result);
      if (state === 'none') return;
      if (state === 'changed') await kept.ask({ op: 'touch', path: mark });
      if (state === 'same') await source.move(place, { folder: kept, path: key });
      await forgetOldest();
    });
  };
  return {
    async restore() {
      if ((await kept.kindOf(key)) !== 'folder') return false;
      if (!(await isCopied())) {
        if (!(await kept.move(key, { folder: source, path: place }))) return false;
        await saveLater();
        return true;
      }
      if (!(await kept.copy(key, { folder: source, path: place }))) return false;
      await kept.ask({ op: 'touch', path: key });
      return true;
    },
    async save() {
      if ((await source.kindOf(place)) !== 'folder') return;
      await ((await isCopied()) ? saveNow() : saveLater());
    },
  };
}

/** What decides which packages are installed, as one name. */
async function keyOf(run: BuildRun, { root, legacyPeers, tools, deployId }: KeptOptions): Promise<string> {
  const { name, version, lock } = root.tool;
  const machine = [process.platform, process.arch, process.versions.node, tools.node?.disk ?? ''];
  const seed = JSON.stringify([SCHEME, ...machine, deployId, name, version, lock, legacyPeers]);
  const names = [...DECIDING, lock ?? ''];
  const { result } = await run.folders.source.ask({ op: 'keyOf', path: root.folder, seed, names });
  return checked(KEY, result).key;
}
