/** What a page is about. */
export interface OpenThing {
  readonly kind: 'canister' | 'deploy' | 'dapp';
  readonly id: string;
}

/** The canister, the deploy or the dapp of the marketplace that an address is of; undefined for all others. */
export function openThing(pathname: string): OpenThing | undefined {
  const [, kind, id] = /^\/ics\/(canister|deploy|dapp)\/([^/]+)/.exec(pathname) ?? [];
  if (kind === undefined || id === undefined || (kind === 'deploy' && id === 'new')) return undefined;
  return { kind: kind as OpenThing['kind'], id };
}
