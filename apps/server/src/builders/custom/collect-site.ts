import { filesText, sizeText } from '../site/amount-text.ts';
import type { BuiltSite } from '../builder.ts';
import type { SiteCanister } from '../project/plan.ts';
import { listSite, type SiteFile, type SiteLimits } from '../site/publish-directory.ts';
import type { BuildRun } from '../step/step-runner.ts';

/**
 * The files of a website of a project: those of all its folders together. Of two with one name, that of the later folder
 * counts, as with dfx.
 * @throws BuildError when a folder is not there, or there is nothing to publish or too much
 */
export async function collectSite(
  run: BuildRun,
  canister: SiteCanister,
  limits: SiteLimits,
): Promise<BuiltSite> {
  run.say(`==> Collecting ${canister.name}`);
  const files = new Map<string, SiteFile>();
  for (const source of canister.sources) {
    const site = await listSite(run.folders.source, source, limits);
    for (const { path, reason } of site.left) run.say(`Not published: ${source}/${path}, since ${reason}.`);
    for (const file of site.files) files.set(file.path, file);
  }
  const all = [...files.values()];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  run.say(
    `${filesText(all.length)}, ${sizeText(bytes)} in ${canister.sources.map((one) => `'${one}'`).join(', ')}.`,
  );
  return { kind: 'site', files: all };
}
