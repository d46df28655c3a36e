import type { IncomingHttpHeaders } from 'node:http';
import { Principal } from '@icp-sdk/core/principal';
import { SIGN_IN_CANISTER } from '../../http/endpoints/call.ts';
import {
  isLoopbackName,
  parseHost,
  type RequestHost,
  type ServedHost,
} from '../../http/transport/served-hosts.ts';

/** The canister a web request is meant for. */
export interface CanisterAddress {
  readonly canisterId: Uint8Array;
  /** The ID in its text form. */
  readonly text: string;
  /** Raw addresses serve the response unverified. */
  readonly raw: boolean;
  /** The host is the canister's alone; else it is one that canisters share with each other and with the console. */
  readonly isOwnHost: boolean;
}

/**
 * Finds the canister in the host name (`<id>.localhost`, `<id>.raw.localhost`, or the same at another domain of sites), in the query
 * (`?canisterId=<id>`), or, for files a page of this host loads, in the query of that page. No canister has a host below that of
 * another: its pages could set the cookies of the one above, and ask for the passkeys of its visitors.
 */
export function findCanister(
  host: ServedHost,
  url: URL,
  referer: string | undefined,
): CanisterAddress | undefined {
  const system = systemHost(host);
  if (system) return system;
  const [first = '', second, ...others] = host.labels;
  const isSite = others.length === 0 && (second === undefined || second === 'raw');
  const fromHost = isSite ? parseId(first) : undefined;
  if (fromHost) return { canisterId: fromHost, text: first, raw: second === 'raw', isOwnHost: true };
  const text = url.searchParams.get('canisterId') ?? pageOf(host, referer)?.searchParams.get('canisterId');
  const canisterId = text ? parseId(text) : undefined;
  return text && canisterId ? { canisterId, text, raw: false, isOwnHost: false } : undefined;
}

/** Hosts that the Internet Computer gives to canisters of its system, as they are below `localhost`. */
const SYSTEM_HOSTS: ReadonlyMap<string, string> = new Map([
  // Internet Identity, https://id.ai; applications under development ask for sign-in there.
  ['id.ai.localhost', SIGN_IN_CANISTER],
]);

function systemHost({ name }: RequestHost): CanisterAddress | undefined {
  const text = SYSTEM_HOSTS.get(name);
  const canisterId = text === undefined ? undefined : parseId(text);
  return text && canisterId ? { canisterId, text, raw: false, isOwnHost: true } : undefined;
}

/** The address of the page that asks, if it is one of the same host. */
function pageOf(host: RequestHost, referer: string | undefined): URL | undefined {
  const page = referer === undefined ? undefined : (URL.parse(referer) ?? undefined);
  const from = page && parseHost(page.host);
  return from?.name === host.name && from.port === host.port ? page : undefined;
}

const PRINCIPAL_TEXT = /^[a-z2-7]{5}(-[a-z2-7]{1,5})+$/;
/** Length of the longest ID, of 29 bytes, in its text form. */
const MAX_PRINCIPAL_TEXT = 63;
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, Uint8Array>();

/** The bytes of an ID in its text form. A page asks for the same canister with each of its files, so that the last IDs read are kept. */
export function parseId(text: string): Uint8Array | undefined {
  const known = remembered.get(text);
  if (known) return known;
  if (text.length > MAX_PRINCIPAL_TEXT || !PRINCIPAL_TEXT.test(text)) return undefined;
  try {
    const id = Principal.fromText(text).toUint8Array();
    const oldest = remembered.keys().next().value;
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(text, id);
    return id;
  } catch {
    return undefined;
  }
}

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
