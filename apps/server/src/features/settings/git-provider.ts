import type { PublicConfig } from '@cannery/contract';
import type { GitProviderConfig } from '../../config.ts';
import { CONNECT_PATH } from '../../git/names.ts';

/** How the console names and links the git provider: the host that ships with the product, unless a setting differs. */
export function gitProvider(publicUrl: string, settings: GitProviderConfig): PublicConfig['git_provider'] {
  return {
    name: settings.name,
    account_url_pattern: settings.accountUrlPattern ?? `${publicUrl}/{owner}`,
    repository_url_pattern: settings.repositoryUrlPattern ?? `${publicUrl}/{owner}/{repo}`,
    tree_url_pattern: settings.treeUrlPattern ?? `${publicUrl}/{owner}/{repo}/tree/{branch}`,
    clone_url_pattern: `${publicUrl}/{owner}/{repo}.git`,
    install_url: settings.installUrl ?? `${publicUrl}${CONNECT_PATH}`,
    embedded: true,
  };
}
