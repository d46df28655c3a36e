import type { PublicConfig } from '@cannery/contract';
import { fillPattern } from './fill-pattern.ts';

/** Where a canister that answers HTTP is served; undefined while the configuration is not known. The one place that makes such addresses. */
export function siteAddress(config: PublicConfig, canisterId: string): string;
export function siteAddress(config: PublicConfig | undefined, canisterId: string): string | undefined;
export function siteAddress(config: PublicConfig | undefined, canisterId: string): string | undefined {
  return config && fillPattern(config.canister_url_pattern, { canisterId });
}

/** An address as it is read: without scheme, and without a slash at its end. */
export function shownAddress(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
