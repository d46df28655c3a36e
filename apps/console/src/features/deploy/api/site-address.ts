import type { Deploy, PublicConfig } from '@cannery/contract';
import { fillPattern } from '../../../lib/text/fill-pattern.ts';

/** Where a site is by its name. */
export const addressOfName = (pattern: string, name: string): string => fillPattern(pattern, { name });

/** The canister of a deploy that its name serves, with the address; undefined where there is none. */
export function namedSite(
  { type, site_name: name, canisters, parts }: Pick<Deploy, 'type' | 'site_name' | 'canisters' | 'parts'>,
  config: Pick<PublicConfig, 'site_name_pattern'> | undefined,
): { canisterId: string; address: string } | undefined {
  const pattern = config?.site_name_pattern;
  const sites = parts.flatMap(({ canister_id: id, kind }) => (kind === 'site' && id !== null ? [id] : []));
  // They are oldest first, and the oldest website has the name.
  const canisterId = sites[0] ?? (type === 'STATIC_SITE' ? canisters[0] : undefined);
  return !pattern || !name || !canisterId ? undefined : { canisterId, address: addressOfName(pattern, name) };
}
