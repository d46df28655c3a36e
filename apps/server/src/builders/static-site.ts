import { posix } from 'node:path';
import { filesText, sizeText } from './site/amount-text.ts';
import { BuildError } from './build-error.ts';
import type { Builder, BuildInput } from './builder.ts';
import { withCommandSteps } from './commands/command-steps.ts';
import { siteWarnings } from './site/check-site.ts';
import { listSite } from './site/publish-directory.ts';
import { SITE_ENDINGS, siteRoots } from './site/site-roots.ts';
import { NEXT_EXPORT, writeSiteTools } from './site/write-site-tools.ts';
import { rootsText } from './source/likely-roots.ts';
import { ENTRIES_LIMIT, SKIPPED } from './source/project-files.ts';
import type { BuildRun } from './step/step-runner.ts';

/** Runs the build command of a site and lists what it has written into the publish directory. */
export const buildStaticSite: Builder = async (run, input) => {
  try {
    return await buildSite(run, input);
  } catch (error) {
    if (!(error instanceof BuildError) || run.signal.aborted) throw error;
    throw (await withRoots(run, input, error)) ?? error;
  }
};

/** Reasons that a build has in a folder that is not that of the site. */
const MISPLACED =
  /^The publish directory |package\.json has no script |the file or folder package\.json does not exist/;

/** The reason of a failure with the folders that may be meant as root directory; null where the site is where it is expected. */
async function withRoots(
  { folders }: BuildRun,
  { rootDirectory }: BuildInput,
  error: BuildError,
): Promise<BuildError | null> {
  if (rootDirectory !== '' || !MISPLACED.test(error.message)) return null;
  const options = { within: '', skipped: SKIPPED, most: ENTRIES_LIMIT };
  // The reason counts more than the hint.
  const files = await folders.source.list(SITE_ENDINGS, options).catch(() => null);
  const roots = siteRoots((files ?? []).map(({ path }) => path));
  // The message has the folders for a page already, and the publish directory counts from the root directory.
  const where = rootsText(roots.filter(({ file }) => file !== 'index.html'));
  return where === '' ? null : new BuildError(`${error.message} ${where}`, { cause: error });
}

const buildSite: Builder = async (run, input) => {
  const { rootDirectory: folder } = input;
  const command = { command: input.buildCommand, folder };
  if (input.buildCommand.includes(NEXT_EXPORT)) {
    await run.sandbox.prepare(run.folders);
    await writeSiteTools(run.folders);
  }
  await withCommandSteps(run, input, (steps) => steps.run(command));
  run.say('==> Collecting the site', 'publish');
  const publish = posix.join(folder, input.publishDirectory);
  const site = await listSite(run.folders.source, publish, input.siteLimits, {
    isBuilt: input.buildCommand.trim() !== '',
  });
  for (const { path, reason } of site.left) run.say(`Not published: ${path}, since ${reason}.`);
  if (site.leftCount > site.left.length)
    run.say(`Not published either: ${site.leftCount - site.left.length} more files.`);
  run.say(`${filesText(site.files.length)}, ${sizeText(site.bytes)} in '${input.publishDirectory || '.'}'.`);
  const warnings = await siteWarnings(run, site.files, input.siteCheck);
  const content = { kind: 'site', files: site.files, warnings } as const;
  return { canisters: [{ name: null, content, settings: {} }], left: [] };
};
