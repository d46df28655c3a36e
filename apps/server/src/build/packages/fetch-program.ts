import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NpmEnvironment } from '../npm-environment.ts';
import { removeFolder } from '../remove-folder.ts';
import { cachePath, type ProgramFolder } from '../sandbox.ts';
import { type BuildRun, runStep } from '../step-runner.ts';
import { withPatience } from './patience.ts';

/** A package of the registry that has programs. */
export interface ProgramPackage {
  readonly name: string;
  /** A version, or a line such as `22`, of which the newest is wanted. */
  readonly version: string;
  /** Folder of its programs in the folder of the installation. */
  readonly bin: string;
}

/** What a step that reaches the registry needs. */
export interface RegistryAccess {
  readonly npm: NpmEnvironment;
  /** Folder on disk for what this user's builds have fetched; only steps without code of the project write it. */
  readonly cache: string;
  /** Address of the way out to registries and git hosts, asked for when it is needed. */
  way(): Promise<string>;
}

/** Folder of fetched programs, in the cache of a user. */
const PROGRAMS = 'programs';
/** How long the newest of a line counts as that. */
const LINE_MS = 30 * 24 * 60 * 60 * 1000;

async function ageOf(folder: string): Promise<number | null> {
  return stat(folder).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => null,
  );
}

/**
 * Fetches a package with programs into the user's cache, unless it is there. None of its scripts runs.
 * @returns null when it cannot be had; the log has npm's reason then
 */
export async function fetchProgram(
  run: BuildRun,
  { npm, cache, way }: RegistryAccess,
  { name, version, bin }: ProgramPackage,
): Promise<ProgramFolder | null> {
  const folder = join(cache, PROGRAMS, `${name.replaceAll('/', '+')}@${version}`);
  const program = { disk: folder, bin };
  const age = await ageOf(folder);
  const isLine = !version.includes('.');
  if (age !== null && (!isLine || age < LINE_MS)) return program;
  const part = `${PROGRAMS}/${randomUUID()}`;
  const seen = run.sandbox.ownRoot ? cachePath : cache;
  run.say(`Fetching ${name} ${version}`);
  const argv = [
    'npm',
    'install',
    '--prefix',
    `${seen}/${part}`,
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--loglevel=error',
    `${name}@${version}`,
  ];
  const step = { argv, way: await way(), env: npm.env, files: npm.files, cache, quiet: true };
  const exitCode = await withPatience(run, `Still fetching ${name}`, (patient) => runStep(patient, step));
  if (exitCode !== 0) {
    await removeFolder(join(cache, part));
    return age === null ? null : program;
  }
  await mkdir(join(cache, PROGRAMS), { recursive: true });
  if (age !== null) await removeFolder(folder);
  // Another build of the user may have been faster.
  await rename(join(cache, part), folder).catch(() => removeFolder(join(cache, part)));
  return (await ageOf(folder)) === null ? null : program;
}
