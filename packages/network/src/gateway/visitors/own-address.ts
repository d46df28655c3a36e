import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHost } from '../../http/transport/request-host.ts';
import { isLoopbackName } from '../../http/transport/served-hosts.ts';
import type { CanisterAddress } from './canister-address.ts';

/** Where the ID is in an address of canisters' sites. */
const CANISTER_ID = '{canisterId}';

/** Whether the request opens a page in a browser, in whatever frame; tools and files a page loads do not. */
export function opensPage(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  // Browsers say no mode before 2020, or where the address is not trustworthy (http, other than this computer).
  if (mode === undefined) return headers.accept?.includes('text/html') === true;
  return mode === 'navigate' || mode === 'nested-navigate';
}

/**
 * The same page on the canister's own host, below `localhost` where the request came to this computer and else by
 * `pattern`; undefined where there is no such host. Only path and query come from the request.
 */
export function ownAddress(
  address: CanisterAddress,
  host: RequestHost,
  url: URL,
  pattern: string | undefined,
): string | undefined {
  const origin = isLoopbackName(host.name)
    ? `http://${address.text}.localhost${host.port}`
    : pattern && URL.parse(pattern.replace(CANISTER_ID, address.text))?.origin;
  if (!origin) return undefined;
  const rest = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('canisterId'));
  return `${origin}${url.pathname}${rest.length > 0 ? `?${rest.join('&')}` : ''}`;
}
