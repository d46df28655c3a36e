import { readProjectFile } from '../../source/project-files.ts';
import { ProjectFileError } from '../../source/project-file-error.ts';
import { GitError, runGit } from '../../../git/repository/run-git.ts';
import type { BuildInput } from '../../builder.ts';
import { checkOutCommit } from '../../source/checkout.ts';
import type { Lend } from '../../../git/repository/git-host.ts';
import { fetchGitPackage, place, type Placed } from './fetch-git.ts';
import { type BuildRun } from '../../step/step-runner.ts';
import { BuildError } from '../../build-error.ts';
import { type Submodule, SUBMODULES_LIMIT } from '../../source/tree-check.ts';

const FILE = '.gitmodules';
/** Bytes of what git prints of the settings. */
const LISTING_BYTES = 1024 ** 2;
const LISTING_MS = 10_000;

/** Fetched by its commit; a name is asked for only where the commit is shortened. */
const ANY_REF = 'main';

/**
 * Brings the files of submodules to their places, those of public repositories of the hosts that the operator lists. What
 * cannot be had is said, and its folder stays empty: a build may not need it.
 * @param home address of the repository that has them, to which theirs may be relative
 * @param ownSource a repository of this console that the owner of the build may read, by its address: null where there is no
 * such repository, undefined for an address that is like all others
 */
export async function fetchSubmodules(
  run: Pick<BuildRun, 'folders' | 'signal' | 'say'>,
  input: Pick<BuildInput, 'outsideGit'>,
  {
    submodules,
    home,
    ownSource,
  }: {
    submodules: readonly Submodule[];
    home: string;
    ownSource: (url: string) => Promise<Lend | null | undefined>;
  },
): Promise<void> {
  if (submodules.length === 0) return;
  const addresses = await addressesOf(run);
  for (const { path, commit } of submodules.slice(0, SUBMODULES_LIMIT)) {
    const shown = path.slice(0, 200);
    const left = (reason: string): void => run.say(`The submodule ${shown} is not fetched: ${reason}`);
    const written = addresses.get(path);
    if (written === undefined) left(`${FILE} does not say where it is.`);
    else {
      const url = relative(written) ? new URL(written, `${home}/`).href : httpsOf(written);
      const own = await ownSource(url);
      const result =
        own === undefined
          ? await fetchGitPackage(run, input, { url, ref: ANY_REF, commit }, path)
          : await takeOwn(run, own, { commit, path });
      if ('failure' in result) {
        left(result.failure);
        await run.folders.source.makeParents(`${path}/x`);
      } else run.say(`Submodule ${shown}: ${result.commit} of ${url}`);
    }
  }
  if (submodules.length > SUBMODULES_LIMIT)
    run.say(`Further submodules are not fetched: a build gets at most ${SUBMODULES_LIMIT}.`);
}

/** Takes a submodule out of a repository of this console. */
async function takeOwn(
  run: Pick<BuildRun, 'folders' | 'signal'>,
  own: Lend | null,
  { commit, path }: Submodule,
): Promise<Placed> {
  if (own === null) return { failure: 'you have no such repository here.' };
  const placed = await place(run, path, async () => {
    await own((source) => checkOutCommit({ folder: run.folders.source, path }, source, commit, run.signal));
    return commit;
  });
  if ('commit' in placed) return placed;
  return {
    failure: `its commit ${commit.slice(0, 7)} cannot be had. Push it to that repository. ${placed.failure}`,
  };
}

/** The addresses that .gitmodules has, by the paths of submodules. @throws BuildError when git cannot read it */
async function addressesOf({
  folders,
  signal,
}: Pick<BuildRun, 'folders' | 'signal'>): Promise<Map<string, string>> {
  try {
    const text = (await readProjectFile(folders.source, FILE)) ?? '';
    // git reads its own format; from standard input it follows no file that the text names.
    const options = { input: text, signal, maxBytes: LISTING_BYTES, timeoutMs: LISTING_MS };
    const listing = await runGit(['config', '--no-includes', '--file', '-', '--null', '--list'], options);
    const settings = new Map<string, string>();
    for (const entry of listing.toString('utf8').split('\0')) {
      const end = entry.indexOf('\n');
      if (end > 0) settings.set(entry.slice(0, end), entry.slice(end + 1));
    }
    const found = new Map<string, string>();
    for (const [key, path] of settings) {
      if (!key.startsWith('submodule.') || !key.endsWith('.path')) continue;
      const url = settings.get(`${key.slice(0, -'.path'.length)}.url`);
      if (url !== undefined) found.set(path.replace(/\/$/, ''), url);
    }
    return found;
  } catch (error) {
    if (!(error instanceof GitError || error instanceof ProjectFileError)) throw error;
    throw new BuildError(`${FILE} cannot be read: ${error.message} Correct it, push, and deploy again.`, {
      cause: error,
    });
  }
}

function relative(address: string): boolean {
  return /^\.\.?\//.test(address);
}

/** The https address of what is written in the way of ssh, `git@host:owner/name`; public repositories have both. */
function httpsOf(address: string): string {
  const [, host, path] = /^(?:ssh:\/\/)?git@([\w.-]{1,253})[:/]([^\s]{1,400})$/.exec(address) ?? [];
  return host === undefined || path === undefined ? address : `https://${host}/${path}`;
}
