import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompileRequest } from './compile-protocol.ts';
import { findCanisters, type MotokoProject, onlyCanister } from './find-canisters.ts';
import { findPackages, packageRoot } from './find-packages.ts';
import { filterFlags, flagAttempts } from './flags.ts';
import { ProjectFileError } from './project-file-error.ts';
import { listFiles } from './project-files.ts';

/** What a Motoko project says of itself: all that is needed to compile it. */
export interface ReadProject {
  readonly name: string;
  /** The file that told, or null when only the sources were looked at. */
  readonly settings: string | null;
  /** Names and kinds of what the project has besides, for the log. */
  readonly others: readonly string[];
  /** Candid text of the install arguments; null when the project gives none. */
  readonly initArg: string | null;
  /** Flags that were left out, as the project writes them. */
  readonly dropped: readonly string[];
  readonly request: CompileRequest;
}

/** Bytes of all sources together: the compiler keeps them in memory. The largest project surveyed has 9 MB. */
const SOURCES_LIMIT = 64 * 1024 * 1024;
/** How many names of a kind the log is told, and characters of each. */
const NAMED = 20;
const NAME_LENGTH = 200;

/**
 * Reads the settings and names the sources of a project with one Motoko canister.
 * @param root the checkout
 * @throws ProjectFileError when the settings cannot be read, or lead nowhere, or there is not exactly one canister
 */
export async function readProject(root: string): Promise<ReadProject> {
  const project: MotokoProject = await findCanisters(root);
  const canister = onlyCanister(project);
  const main = await lstat(join(root, canister.main)).catch(() => null);
  if (!main?.isFile()) {
    throw new ProjectFileError(
      `The main file ${canister.main} of ${canister.name} is not in the repository.`,
    );
  }
  const { flags, dropped } = filterFlags(canister.flags);
  const packages = await findPackages(root, await packageRoot(root, canister.main));
  return {
    name: canister.name,
    settings: project.settings,
    others: few(project.others),
    initArg: canister.initArg,
    dropped: few(dropped),
    request: {
      root,
      main: canister.main,
      sources: await sourcesOf(root, packages.extraSources),
      attempts: flagAttempts(flags),
      packages: [...packages.folders],
      wanted: [...packages.wanted],
      missing: [...packages.missing],
      aliases: packages.aliases,
    },
  };
}

function few(names: readonly string[]): string[] {
  return names.slice(0, NAMED).map((name) => name.slice(0, NAME_LENGTH));
}

async function sourcesOf(root: string, extraFolders: readonly string[]): Promise<string[]> {
  const sources = await listFiles(root, ['.mo', '.did']);
  for (const folder of extraFolders) sources.push(...(await listFiles(root, ['.mo', '.did'], folder)));
  let bytes = 0;
  for (const source of sources) bytes += (await lstat(join(root, source))).size;
  if (bytes > SOURCES_LIMIT)
    throw new ProjectFileError(`The sources are larger than ${SOURCES_LIMIT / 1024 ** 2} MB together.`);
  return sources;
}
