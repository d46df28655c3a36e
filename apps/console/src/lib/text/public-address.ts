import { parseRepositoryUrl, readRepositoryAddress, type PublicConfig } from '@cannery/contract';
import { fillPattern } from './fill-pattern.ts';

/** Where the provider's own repositories are: the console's origin, and the one that git clones from. */
export interface ProviderPlace {
  readonly origin: string;
  readonly clonePattern: string | undefined;
}

/** The provider's place, as far as the configuration tells it. */
export function providerPlace(config: PublicConfig | undefined): ProviderPlace {
  return { origin: window.location.origin, clonePattern: config?.git_provider.clone_url_pattern };
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Whether an address names a repository of the git provider itself. */
function isProviderAddress(url: string, { origin, clonePattern }: ProviderPlace): boolean {
  const own = originOf(url);
  return own !== undefined && (own === origin || own === originOf(clonePattern ?? ''));
}

export interface PublicAddress {
  readonly owner: string;
  readonly name: string;
  readonly url: string;
}

/**
 * Owner and name in the address of a public repository, for the form and the calls.
 * @returns them, or `fault`: what is wrong with the address, for beside the field
 */
export function readPublicAddress(
  text: string,
  provider: ProviderPlace,
): PublicAddress | { readonly fault: string } {
  const url = text.trim();
  const { owner, name } = parseRepositoryUrl(url);
  if (isProviderAddress(url, provider)) {
    if (owner !== undefined && name !== undefined) return { owner, name, url };
    const example = fillPattern(provider.clonePattern ?? `${provider.origin}/{owner}/{repo}.git`, {
      owner: 'owner',
      repo: 'repository',
    });
    return { fault: `The address names no owner and repository. It looks like ${example}.` };
  }
  const address = readRepositoryAddress(url);
  if ('fault' in address) return address;
  return { owner: owner ?? address.owner, name: name ?? address.name, url };
}

/** The address that calls carry beside owner and name: that of a public repository of another host. */
export function outsideUrl(
  { isPublic, url }: { readonly isPublic: boolean; readonly url: string },
  provider: ProviderPlace,
): string | undefined {
  return isPublic && url !== '' && !isProviderAddress(url, provider) ? url : undefined;
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether an address means the computer of whoever calls it. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(URL.parse(address)?.hostname ?? '');
}
