import type { PublicConfig } from '@cannery/contract';
import { CONNECT_PATH } from '../../git/names.ts';

/** How the console names and links the git host that ships with the product. */
export function embeddedGitProvider(publicUrl: string): PublicConfig['git_provider'] {
  return {
    name: 'Cannery Git',
    account_url_pattern: `${publicUrl}/{owner}`,
    repository_url_pattern: `${publicUrl}/{owner}/{repo}`,
    tree_url_pattern: `${publicUrl}/{owner}/{repo}/tree/{branch}`,
    install_url: `${publicUrl}${CONNECT_PATH}`,
    embedded: true,
  };
}
