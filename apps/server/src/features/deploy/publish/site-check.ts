import type { SiteCheck } from '../../../builders/site/check-site.ts';
import type { OpenedVariables } from '../store/variables.ts';
import { siteAssets } from './site-assets.ts';

/**
 * What the check of a site knows of a run.
 * @param links paths of the checkout that are links in the repository, and texts in the build
 */
export function siteCheckOf(
  { values, secrets }: OpenedVariables,
  links: readonly string[],
  signal: AbortSignal,
): SiteCheck {
  return {
    secrets: new Map(secrets.map((name) => [name, values.get(name) ?? ''])),
    links,
    async servedOf(files) {
      const assets = await siteAssets(files, signal);
      const served = assets.files.map(({ key, enableAliasing }) => ({
        path: key.slice(1),
        hasAliases: enableAliasing !== false,
      }));
      return { files: served, ...assets.rules };
    },
  };
}
