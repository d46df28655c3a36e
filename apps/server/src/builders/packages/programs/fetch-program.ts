import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BuildError } from '../../build-error.ts';
import type { Workspace } from '../../disks/workspace.ts';
import type { ProgramFolder } from '../../sandbox/sandbox.ts';
import type { NpmEnvironment } from '../../step/operator-npm.ts';
import { type BuildRun, runStep, withPatience } from '../../step/step-runner.ts';
import { checked } from '../../tenant/tenant-folder.ts';

/** A package of the registry that has programs. */
export interface ProgramPackage {
  readonly name: string;
  /** A version, or a line such as `22`, of which the newest is wanted. */
  readonly version: string;
  /** Folder of its programs in the folder of the installation. */
  readonly bin: string;
}

/** Where the programs are that builds run besides those of the machine. */
export interface ProgramStore {
  /** Folder on disk that the server alone writes: no step sees more of it than one of its folders, read-only. */
  readonly folder: string;
  /** Folders for a step of the server that has nothing of any project, and no cache of a user. */
  openWorkspace(): Promise<Workspace>;
}

/** What a step that reaches the registry needs. */
export interface RegistryAccess {
  readonly npm: NpmEnvironment;
  readonly programs: ProgramStore;
  /** Address of the way out to registries and git hosts, asked for when it is needed. */
  way(): Promise<string>;
}

/** How long the newest of a line counts as that. */
const LINE_MS = 30 * 24 * 60 * 60 * 1000;
/** Begins the name of a folder that was replaced; running builds may still use it. */
export const REPLACED = 'replaced-';
/** Most files and folders of a program; npm itself has 3,000. */
const MOST_ENTRIES = 100_000;

async function ageOf(folder: string): Promise<number | null> {
  return lstat(folder).then(
    (found) => (found.isDirectory() ? Date.now() - found.mtimeMs : null),
    () => null,
  );
}

/**
 * Fetches a package with programs, unless it is there. None of its scripts runs, and nothing of a project is there while it is
 * fetched, so that it is for the builds of all users.
 * @returns null when it cannot be had; the log has npm's reason then
 */
export async function fetchProgram(
  run: BuildRun,
  { npm, programs, way }: RegistryAccess,
  { name, version, bin }: ProgramPackage,
): Promise<ProgramFolder | null> {
  await mkdir(programs.folder, { recursive: true, mode: 0o700 });
  const disk = join(programs.folder, `${name.replaceAll('/', '+')}@${version}`);
  const program = { disk, bin };
  const age = await ageOf(disk);
  const isLine = !version.includes('.');
  if (age !== null && (!isLine || age < LINE_MS)) return program;
  run.say(`Fetching ${name} ${version}`);
  const folders = await programs.openWorkspace();
  try {
    const argv = [
      'npm',
      'install',
      '--prefix',
      run.sandbox.seen.source(folders),
      '--ignore-scripts',
      '--no-save',
      '--no-package-lock',
      '--loglevel=error',
      `${name}@${version}`,
    ];
    const step = { argv, way: await way(), env: npm.ownEnv, files: npm.files, quiet: true };
    const apart = { ...run, folders };
    const exitCode = await withPatience(apart, `Still fetching ${name}`, (patient) => runStep(patient, step));
    if (exitCode !== 0) return age === null ? null : program;
    await sealed(folders, name);
    if (age !== null) await rename(disk, join(programs.folder, `${REPLACED}${randomUUID()}`));
    await folders.publish(disk);
  } finally {
    await folders.remove();
  }
  return (await ageOf(disk)) === null ? null : program;
}

/** @throws BuildError when the package has something else than files, folders and links to those */
async function sealed({ source }: Workspace, name: string): Promise<void> {
  const { result } = await source.ask({ op: 'seal', most: MOST_ENTRIES });
  const found = checked(z.object({ sealed: z.boolean(), path: z.string().max(4_096) }), result);
  if (!found.sealed)
    throw new BuildError(
      `The package ${name} of the registry cannot be used: ${found.path.slice(0, 200)} leads out of it.`,
    );
}

/** npm has the program for this platform alone. */
const IC_WASM = '@icp-sdk/ic-wasm-linux-x64';

/** What has `ic-wasm`, which build scripts call to shrink modules and to write into their metadata; null on other machines. */
export const icWasm: ProgramPackage | null =
  process.platform === 'linux' && process.arch === 'x64'
    ? { name: IC_WASM, version: '0.11.1', bin: `node_modules/${IC_WASM}/bin` }
    : null;
