import type { IncomingMessage } from 'node:http';
import { isLoopbackName, type RequestHost } from '../http/transport/served-hosts.ts';

const LOOPBACK_PEER = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i;
/** What proxies add: whom they ask for is not on this computer. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/** Whether a request is one of this computer to the network itself, and not to a canister. */
export function isToNetworkItself(request: IncomingMessage, host: RequestHost, url: URL): boolean {
  return (
    isLoopbackName(host.name) &&
    // Names below it are canisters'.
    !host.name.endsWith('.localhost') &&
    !url.searchParams.has('canisterId') &&
    LOOPBACK_PEER.test(request.socket.remoteAddress ?? '') &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined)
  );
}

/**
 * Whether a web page of another origin makes the request; sites of canisters are such pages. To be opened in a window is not a request of
 * the page that has the link, which sees nothing of it.
 */
export function isOfAnotherPage({ headers }: IncomingMessage, host: RequestHost): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': place } = headers;
  if (origin !== undefined && origin !== `http://${host.name}${host.port}`) return true;
  if (site === undefined || site === 'none' || site === 'same-origin') return false;
  return mode !== 'navigate' || place !== 'document';
}
