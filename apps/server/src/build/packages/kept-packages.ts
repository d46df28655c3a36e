import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from '../kind-of.ts';
import { removeFolder } from '../remove-folder.ts';
import { sizeOfFolder } from '../folder-size.ts';
import { cachePath, type ProgramFolder } from '../sandbox.ts';
import { type BuildRun, runStep } from '../step-runner.ts';
import { isBerry } from './choose-tool.ts';
import type { InstallRoot } from './find-root.ts';
import { isPlainFolder } from './plain-folder.ts';

/**
 * Installed packages of one user, kept for the next build with the same lock file. A build gets the folder itself, and it
 * is kept again when the build has changed nothing in it; so no build reads what another one has written. Where builds
 * do change it, they get a copy.
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
/** Most files and folders of one of them; the largest of a public project seen has 60,000. */
const MOST_ENTRIES = 300_000;
const PART = 'part-';
/** Ends the name of an empty file, after the key of packages that a build has changed: from then on they are copied. */
const COPIED = '.copied';
/** Most of these files. */
const MOST_COPIED = 20;

/** How the packages of a project are kept; null where they lie in many places, or no lock file says which they are. */
export async function keptPackages(run: BuildRun, options: KeptOptions): Promise<KeptPackages | null> {
  const { root, cache } = options;
  // Without a separate root the copies would be files that any build of the machine can write.
  if (root.workspaces || root.tool.lock === null || isBerry(root.tool) || !run.sandbox.ownRoot) return null;
  const { source } = run.folders;
  // A command of the build may have put a link to somewhere else there.
  if (!(await isPlainFolder(source, root.folder))) return null;
  const folder = `${cache}-packages`;
  const key = await keyOf(run, options);
  const kept = join(folder, key);
  const place = join(root.folder, 'node_modules');
  const installed = join(source, place);
  const isCopied = async (): Promise<boolean> => (await kindOf(`${kept}${COPIED}`)) === 'file';
  const copy = async (argv: readonly string[]): Promise<boolean> => {
    const all = ['cp', '-a', '--reflink=auto', ...argv];
    return (await runStep(run, { argv: all, way: null, cache: folder, quiet: true })) === 0;
  };
  const saveNow = async (): Promise<void> => {
    if ((await sizeOfFolder(installed, { bytes: LARGEST, entries: MOST_ENTRIES })).bytes > LARGEST) return;
    const part = `${PART}${randomUUID()}`;
    // Another build of the user may have been faster.
    if (await copy([`./${place}`, `${cachePath}/${part}`])) await moved(join(folder, part), kept);
    await removeFolder(join(folder, part));
    await forgetOldest(folder);
  };
  const saveLater = async (): Promise<void> => {
    const before = await noteEntries(installed, run.folders.root);
    run.afterwards(async () => {
      if (!(await isPlainFolder(source, place))) return;
      const state = await stateOf(installed, before);
      if (state === 'changed') await writeFile(`${kept}${COPIED}`, '');
      if (state === 'same' && (await leaveOnly(installed, before.names))) await moved(installed, kept);
      await forgetOldest(folder);
    });
  };
  return {
    async restore() {
      if ((await kindOf(kept)) !== 'folder') return false;
      if (!(await isCopied())) {
        if (!(await moved(kept, installed))) return false;
        await saveLater();
        return true;
      }
      if (!(await copy([`${cachePath}/${key}`, `./${place}`]))) {
        await removeFolder(installed);
        return false;
      }
      await utimes(kept, new Date(), new Date());
      return true;
    },
    async save() {
      if ((await kindOf(installed)) !== 'folder') return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await ((await isCopied()) ? saveNow() : saveLater());
    },
  };
}

/** Moves a folder to where none is. @returns whether that was possible */
async function moved(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    () => false,
  );
}

/** What a folder holds at a moment. */
interface NotedEntries {
  readonly names: ReadonlySet<string>;
  /** The moment by the clock of the file system, in nanoseconds; no build can set what this clock says of a change. */
  readonly at: bigint;
}

/** @param scratch a folder in which a file may be written */
async function noteEntries(folder: string, scratch: string): Promise<NotedEntries> {
  const mark = join(scratch, `.${randomUUID()}`);
  await writeFile(mark, '', { flag: 'wx' });
  const { ctimeNs: at } = await lstat(mark, { bigint: true });
  await rm(mark);
  return { names: new Set(await readdir(folder)), at };
}

/** What a build has done to the noted entries; 'large' when there are too many, or too many bytes, to be kept. */
async function stateOf(folder: string, { names, at }: NotedEntries): Promise<'same' | 'changed' | 'large'> {
  const pending = [...names].map((name) => join(folder, name));
  let seen = 0;
  let blocks = 0n;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = await lstat(path, { bigint: true }).catch(() => null);
    if (found === null || found.ctimeNs > at) return 'changed';
    seen += 1;
    blocks += found.blocks;
    if (seen > MOST_ENTRIES || blocks * 512n > LARGEST) return 'large';
    if (found.isDirectory()) for (const name of await readdir(path)) pending.push(join(path, name));
  }
  return 'same';
}

/** Removes what came into a folder beside these. @returns whether that was possible */
async function leaveOnly(folder: string, names: ReadonlySet<string>): Promise<boolean> {
  const others = (await readdir(folder)).filter((name) => !names.has(name));
  for (const name of others) await removeFolder(join(folder, name));
  return (await readdir(folder)).length === names.size;
}

async function keyOf(run: BuildRun, { root, legacyPeers, node }: KeptOptions): Promise<string> {
  const { name, version, lock } = root.tool;
  const hash = createHash('sha256');
  const machine = [process.platform, process.arch, process.versions.node, node?.disk ?? ''];
  hash.update(JSON.stringify([SCHEME, ...machine, name, version, lock, legacyPeers]));
  for (const file of [...DECIDING, lock ?? '']) {
    const path = join(run.folders.source, root.folder, file);
    hash.update(`\0${file}\0`);
    if ((await kindOf(path)) !== 'file') continue;
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

async function forgetOldest(folder: string): Promise<void> {
  const all = await Promise.all(
    (await readdir(folder))
      .filter((name) => !name.startsWith(PART))
      .map(async (name) => ({ name, used: (await stat(join(folder, name))).mtimeMs })),
  );
  all.sort((a, b) => b.used - a.used);
  const isCopied = ({ name }: { name: string }): boolean => name.endsWith(COPIED);
  const old = [
    ...all.filter((one) => !isCopied(one)).slice(MOST),
    ...all.filter(isCopied).slice(MOST_COPIED),
  ];
  for (const { name } of old) await removeFolder(join(folder, name));
}
