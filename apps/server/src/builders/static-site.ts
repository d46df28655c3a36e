import { posix } from 'node:path';
import { filesText, sizeText } from './site/amount-text.ts';
import type { Builder } from './builder.ts';
import { withCommandSteps } from './commands/command-steps.ts';
import { siteWarnings } from './site/check-site.ts';
import { listSite } from './site/publish-directory.ts';

/** Runs the build command of a site and lists what it has written into the publish directory. */
export const buildStaticSite: Builder = async (run, input) => {
  const { rootDirectory: folder } = input;
  const command = { command: input.buildCommand, folder };
  await withCommandSteps(run, input, (steps) => steps.run(command));
  run.say('==> Collecting the site', 'publish');
  const publish = posix.join(folder, input.publishDirectory);
  const site = await listSite(run.folders.source, publish, input.siteLimits);
  for (const { path, reason } of site.left) run.say(`Not published: ${path}, since ${reason}.`);
  if (site.leftCount > site.left.length)
    run.say(`Not published either: ${site.leftCount - site.left.length} more files.`);
  run.say(`${filesText(site.files.length)}, ${sizeText(site.bytes)} in '${input.publishDirectory || '.'}'.`);
  const warnings = await siteWarnings(run, site.files, input.siteCheck);
  const content = { kind: 'site', files: site.files, warnings } as const;
  return { canisters: [{ name: null, content, settings: {} }], left: [], warnings };
};
