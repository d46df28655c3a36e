import type { PublicConfig } from '@cannery/contract';
import { fillPattern } from './fill-pattern.ts';

type Pattern = Pick<PublicConfig, 'canister_url_pattern'>;

/** Where a canister that answers HTTP is served; undefined while the configuration is not known. The one place that makes such addresses. */
export function siteAddress(config: Pattern, canisterId: string): string;
export function siteAddress(config: Pattern | undefined, canisterId: string): string | undefined;
export function siteAddress(config: Pattern | undefined, canisterId: string): string | undefined {
  return config && fillPattern(config.canister_url_pattern, { canisterId });
}

/** An address as it is read: without scheme, and without a slash at its end. */
export function shownAddress(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
