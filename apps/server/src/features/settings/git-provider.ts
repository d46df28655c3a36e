import { GITHUB_PATH, type PublicConfig } from '@cannery/contract';
import type { GitProviderConfig } from '../../config/config.ts';
import { CONNECT_PATH } from '../../git/repository/names.ts';

/**
 * How the console names and links the git provider: the host that ships with the product, or GitHub, unless a setting
 * differs.
 */
export function gitProvider(
  publicUrl: string,
  settings: GitProviderConfig,
  {
    gitHubUrl,
    consoleUrl = publicUrl,
  }: { gitHubUrl?: string | undefined; consoleUrl?: string | undefined } = {},
): PublicConfig['git_provider'] {
  const host = gitHubUrl ?? publicUrl;
  return {
    name: settings.name,
    account_url_pattern: settings.accountUrlPattern ?? `${host}/{owner}`,
    repository_url_pattern: settings.repositoryUrlPattern ?? `${host}/{owner}/{repo}`,
    tree_url_pattern: settings.treeUrlPattern ?? `${host}/{owner}/{repo}/tree/{branch}`,
    clone_url_pattern: `${host}/{owner}/{repo}.git`,
    install_url:
      settings.installUrl ??
      (gitHubUrl === undefined ? `${publicUrl}${CONNECT_PATH}` : `${consoleUrl}${GITHUB_PATH}`),
    embedded: gitHubUrl === undefined,
  };
}
