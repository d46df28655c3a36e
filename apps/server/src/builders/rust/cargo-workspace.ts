import { posix } from 'node:path';
import { BuildError } from '../build-error.ts';
import type { RustCanister } from '../project/plan.ts';
import type { BuildRun } from '../step/step-runner.ts';

/** Where cargo is called for a canister. */
export interface CargoPlace {
  /** Folder with the manifest, relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  /** Folder with the lock file; null where none is committed. */
  readonly workspace: string | null;
}

/** A folder and those above it, up to the checkout. */
function andAbove(folder: string): string[] {
  const found: string[] = [];
  for (let at = posix.join(folder, '.'); at !== '.'; at = posix.dirname(at)) found.push(at);
  return [...found, ''];
}

/** Where cargo finds the package of a canister: at its folder or above, as cargo itself looks. @throws BuildError when nowhere */
export async function cargoPlace(run: BuildRun, { name, folder }: RustCanister): Promise<CargoPlace> {
  const { source } = run.folders;
  const nearest = async (file: string, from: string): Promise<string | null> => {
    for (const at of andAbove(from)) if ((await source.kindOf(posix.join(at, file))) === 'file') return at;
    return null;
  };
  const found = await nearest('Cargo.toml', folder);
  if (found === null)
    throw new BuildError(
      `There is no Cargo.toml in '${folder}' or above for the Rust canister ${name}. Correct its folder in the settings of the project, push, and deploy again.`,
    );
  return { folder: found, workspace: await nearest('Cargo.lock', found) };
}

/** Bytes of a file that names a toolchain. */
const TOOLCHAIN_FILE = 4 * 1024;

/** The toolchain that a project asks rustup for; null where it does not. */
export async function askedToolchain(run: BuildRun, { folder }: CargoPlace): Promise<string | null> {
  for (const at of andAbove(folder)) {
    for (const file of ['rust-toolchain.toml', 'rust-toolchain']) {
      const found = await run.folders.source.textOf(posix.join(at, file), TOOLCHAIN_FILE);
      if (found.kind !== 'file') continue;
      const named = /^\s{0,9}channel\s{0,9}=\s{0,9}["']([\w.+-]{1,60})["']/m.exec(found.text);
      return named?.[1] ?? /^[\w.+-]{1,60}(?=\s{0,9}$)/.exec(found.text)?.[0] ?? null;
    }
  }
  return null;
}
