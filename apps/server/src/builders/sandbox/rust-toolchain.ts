import { access, constants, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { StartError } from '../../errors.ts';
import { runProcess } from '../process/run-process.ts';

/** A Rust toolchain of the operator: a folder with `bin/cargo` and `bin/rustc` in it. */
export interface RustToolchain {
  /** Its path, links resolved. */
  readonly folder: string;
  /** Of rustc, such as '1.63.0'. */
  readonly version: string;
  /** Of cargo; Debian's is two releases ahead of its rustc. */
  readonly cargoVersion: string;
  /** Whether it compiles for wasm32-unknown-unknown. */
  readonly hasTarget: boolean;
}

/** What decides which toolchain is taken. */
export interface RustSearch {
  /** RUST_TOOLCHAIN: a folder, or 'off'; undefined to look in the usual places. */
  readonly setting: string | undefined;
  /** Folder that tenants shape parts of. */
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The setting for none. */
const OFF = 'off';
/** What canisters are compiled for. */
export const RUST_TARGET = 'wasm32-unknown-unknown';
/** How long the programs may take to say their version, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Toolchains of rustup that are looked at. */
const MOST = 50;

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function canRun(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether the standard library for WebAssembly is there. */
async function hasTarget(folder: string): Promise<boolean> {
  const library = join(folder, 'lib', 'rustlib', RUST_TARGET, 'lib');
  const names = await readdir(library).catch(() => []);
  return names.some((name) => /^libcore-.*\.rlib$/.test(name));
}

/** What a program of the operator says of its version; null when it does not run. It gets no settings of anybody. */
async function versionOf(file: string): Promise<string | null> {
  let version: string | null = null;
  const command = { file, args: ['--version'], env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } };
  const { exitCode } = await runProcess(command, {
    timeoutMs: PATIENCE_MS,
    signal: new AbortController().signal,
    onLine: (line) => {
      version ??= /^(?:rustc|cargo) (\d{1,4}\.\d{1,4}\.\d{1,4})/.exec(line)?.[1] ?? null;
    },
  });
  return exitCode === 0 ? version : null;
}

/** A folder that has the programs of a toolchain. */
type Found = Pick<RustToolchain, 'folder' | 'hasTarget'>;

const programsIn = (folder: string): string[] => ['rustc', 'cargo'].map((name) => join(folder, 'bin', name));

/** What is in a folder; null where it is no toolchain. */
async function lookInto(path: string, dataDir: string): Promise<Found | null> {
  const folder = await realpath(path).catch(() => null);
  // A build may have put anything there.
  if (folder === null || isUnder(folder, dataDir)) return null;
  if (!(await Promise.all(programsIn(folder).map(canRun))).every(Boolean)) return null;
  return { folder, hasTarget: await hasTarget(folder) };
}

/** The first of the toolchains whose programs run. */
async function firstThatRuns(found: readonly Found[]): Promise<RustToolchain | null> {
  for (const one of found) {
    const [version = null, cargoVersion = null] = await Promise.all(programsIn(one.folder).map(versionOf));
    if (version !== null && cargoVersion !== null) return { ...one, version, cargoVersion };
  }
  return null;
}

/** Folders of rustup's toolchains, the one that the operator uses first, then those named 'stable'. */
async function rustupFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const home = env.RUSTUP_HOME ?? (env.HOME === undefined ? undefined : join(env.HOME, '.rustup'));
  if (home === undefined) return [];
  const settings = await readFile(join(home, 'settings.toml'), 'utf8').catch(() => '');
  const usual = /^default_toolchain = "([\w.+-]{1,100})"$/m.exec(settings)?.[1];
  const names = (await readdir(join(home, 'toolchains')).catch(() => [])).toSorted();
  const rank = (name: string): number => (name === usual ? 0 : name.startsWith('stable') ? 1 : 2);
  return names
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST)
    .map((name) => join(home, 'toolchains', name));
}

/** Where distributions put Rust; `rustc` of rustup on the path is only a door to its toolchains. */
async function systemFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const found: string[] = [];
  for (const folder of [...onPath, '/usr/local/bin', '/usr/bin']) {
    const program = await realpath(join(folder, 'rustc')).catch(() => null);
    if (program !== null && basename(program) !== 'rustup')
      found.push(dirname(folder), dirname(dirname(program)));
  }
  return found;
}

/**
 * Finds the operator's Rust toolchain, and runs nothing of it but for its version. One that compiles for WebAssembly goes before
 * one that does not.
 * @returns null where there is none
 * @throws StartError when the setting names a folder without one
 */
export async function findRust({ setting, dataDir, env }: RustSearch): Promise<RustToolchain | null> {
  if (setting === OFF) return null;
  const hidden = await realpath(dataDir).catch(() => dataDir);
  if (setting !== undefined) {
    const found = await lookInto(setting, hidden);
    const named = await firstThatRuns(found === null ? [] : [found]);
    if (named !== null) return named;
    throw new StartError(
      `RUST_TOOLCHAIN is ${setting}, but no bin/cargo and bin/rustc that run are there. Name the folder of a toolchain, such as ` +
        '/usr or ~/.rustup/toolchains/NAME in full, or leave the setting out.',
    );
  }
  const found: Found[] = [];
  for (const folder of new Set([...(await rustupFolders(env)), ...(await systemFolders(env))])) {
    const one = await lookInto(folder, hidden);
    if (one !== null) found.push(one);
  }
  return firstThatRuns(found.toSorted((a, b) => Number(b.hasTarget) - Number(a.hasTarget)));
}

/** The commands that bring a toolchain which compiles canisters. */
const HOW_TO_INSTALL =
  "'apt-get install rustc cargo libstd-rust-dev-wasm32' or 'rustup target add wasm32-unknown-unknown'";

/** Why Rust canisters are not compiled here and what to do, as the second half of a sentence; null where they are. */
export function rustProblem(rust: RustToolchain | null): string | null {
  if (rust?.hasTarget === true) return null;
  const lack =
    rust === null ? 'no toolchain was found' : `the Rust ${rust.version} found has no target ${RUST_TARGET}`;
  return `Rust is not compiled here: ${lack}; the operator can install one by ${HOW_TO_INSTALL}, and name its folder by RUST_TOOLCHAIN`;
}

/** What the server says of Rust when it starts; nothing where the operator wants none. @param setting RUST_TOOLCHAIN */
export function rustNotes(setting: string | undefined, rust: RustToolchain | null): string[] {
  if (setting === OFF) return [];
  const problem = rustProblem(rust);
  if (rust === null || problem !== null) return [`${problem}.`];
  return [
    `Rust canisters are compiled with Rust ${rust.version} (${rust.folder}, with the target ${RUST_TARGET}).`,
  ];
}
