import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { z } from 'zod';
import type { RustToolchain } from '../sandbox/rust-toolchain.ts';
import type { BuildRun } from '../step/step-runner.ts';
import { checked } from '../tenant/tenant-folder.ts';

/**
 * Crates and what was compiled of them, kept for the next build of the same deploy with the same lock file. A build gets the folder
 * itself. What build scripts have written there is code of a tenant: no other deploy is given it, not even one of the same user.
 */
export interface KeptCrates {
  /** Moves them to where cargo looks for them. @returns whether there were any */
  restore(): Promise<boolean>;
  /** Takes them out of the reach of the steps that follow, and keeps them. */
  save(): Promise<void>;
}

/** Changes when what is kept would no longer be of use. */
const SCHEME = '1';
/** Most trees of a user, of packages and of crates, and most bytes of one with crates. */
const MOST = 4;
const LARGEST = 1024 ** 3;
/** Endings and numbers of what installed packages have beside them. */
const MARKS = { mark: '.copied', mostMarks: 20 };
const PART = 'part-';
/** How long looking through crates, or removing some, may take, in milliseconds. */
const FORGET_MS = 10 * 60 * 1000;
/** Files of cargo's folder that say how it works: none goes from one build to the next. */
const SETTINGS = ['config', 'config.toml', 'credentials', 'credentials.toml'];

const KEY = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * How the crates of a workspace are kept; null where no lock file says which they are.
 * @param options.workspace folder with the lock file, relative to the checkout; null for none
 * @param options.place folder in the home of the steps that has cargo's folder `home` and the folder `target`
 * @param options.deploy id of the deploy
 */
export async function keptCrates(
  run: BuildRun,
  {
    workspace,
    place,
    rust,
    deploy,
  }: { workspace: string | null; place: string; rust: RustToolchain; deploy: string },
): Promise<KeptCrates | null> {
  // Without a separate root any build of the machine could write what is kept.
  if (workspace === null || !run.sandbox.ownRoot) return null;
  const { source, home, kept } = run.folders;
  const machine = [process.platform, process.arch, rust.folder, rust.version, rust.cargoVersion];
  const seed = JSON.stringify([SCHEME, 'rust', ...machine, deploy, workspace]);
  const { result } = await source.ask({ op: 'keyOf', path: workspace, seed, names: ['Cargo.lock'] });
  const { key } = checked(KEY, result);
  return {
    async restore() {
      if (!(await kept.move(key, { folder: home, path: place }))) return false;
      for (const name of SETTINGS) await home.remove(posix.join(place, 'home', name));
      return true;
    },
    async save() {
      const part = `${PART}${randomUUID()}`;
      if (!(await home.move(place, { folder: kept, path: part }))) return;
      run.afterwards(async () => {
        // Another build may have been faster.
        const fits = (await kept.bytes(part, LARGEST)) <= LARGEST;
        if (fits && (await kept.move(part, { folder: kept, path: key })))
          await kept.ask({ op: 'touch', path: key });
        await kept.remove(part);
        await kept.ask({ op: 'forget', except: PART, most: MOST, ...MARKS }, { timeoutMs: FORGET_MS });
      });
    },
  };
}
