import type { Addresses, Config } from '../config/config.ts';
import { OWN_HOST_PATTERN } from './served-names.ts';

/** What the addresses in the settings say of names of sites. */
interface SiteNameRules {
  /** Where a site is by its name: `{name}` stands for that. */
  readonly pattern: string;
  /** Labels directly below the domain of sites that lead to the console, the network or the sign-in, or to what is below them. */
  readonly ownLabels: ReadonlySet<string>;
}

type NameSettings = Pick<
  Config,
  'siteNames' | 'icUrl' | 'identity' | 'networkHosts' | 'apiUrl' | 'consoleUrl'
>;

/** Null where sites have no names: with a network that is told none, and where its sites have no hosts of their own. */
export function siteNameRules(
  config: NameSettings,
  { canisterUrlPattern, publicUrl, networkUrl }: Addresses,
): SiteNameRules | null {
  const host = OWN_HOST_PATTERN.exec(canisterUrlPattern)?.[1];
  if (!config.siteNames || host === undefined) return null;
  const pattern = canisterUrlPattern.replace('{canisterId}', '{name}');
  const { icUrl, identity, apiUrl, consoleUrl } = config;
  const addresses = [
    publicUrl,
    networkUrl,
    icUrl,
    apiUrl,
    consoleUrl,
    identity.embedded ? undefined : identity.issuer,
  ];
  const used = [
    ...addresses.flatMap((url) => (url === undefined ? [] : [new URL(url).hostname])),
    ...config.networkHosts.map((name) => name.replace(/^\*\./, '').replace(/:\d+$/, '')),
  ];
  const below = `.${new URL(`http://${host}`).hostname}`;
  const labels = used
    .map((name) => name.toLowerCase())
    .filter((name) => name.endsWith(below))
    .map((name) => name.slice(0, -below.length).split('.').at(-1) ?? '');
  return { pattern, ownLabels: new Set(labels) };
}
