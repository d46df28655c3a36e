import { Principal } from '@icp-sdk/core/principal';

/** What the address of the page asks for. */
export interface PageAddress {
  /** The canister to show; undefined when the address names none. */
  readonly id: string | undefined;
  /** Whether the id is a valid principal. */
  readonly isValidId: boolean;
  /** Another IC network than the product's own, as an origin such as `https://icp-api.io`. */
  readonly host: string | undefined;
}

/** Reads `?id=` and `?host=`. A host that is no http(s) address is left out. */
export function readPageAddress(search: string): PageAddress {
  const query = new URLSearchParams(search);
  const id = query.get('id')?.trim() || undefined;
  return { id, isValidId: id !== undefined && isPrincipal(id), host: readHost(query.get('host')) };
}

/** The query of this page for another canister on the same network. */
export function pageSearch(id: string, host: string | undefined): string {
  const query = new URLSearchParams({ id });
  if (host !== undefined) query.set('host', host);
  return `?${query}`;
}

/** The part of the address that leads to a method of the page: `#transfer`. */
export function methodHash(name: string): string {
  return `#${encodeURIComponent(name)}`;
}

/** The method such a part names; undefined when it names none. */
export function hashMethod(hash: string): string | undefined {
  try {
    return decodeURIComponent(hash.slice(1)) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a network runs on this machine. Only then its root key is fetched from it; any other network
 * must be the mainnet, whose key the agent library carries.
 */
export function isLocalNetwork(host: string): boolean {
  const { hostname } = new URL(host);
  return /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/.test(hostname);
}

function isPrincipal(text: string): boolean {
  try {
    Principal.fromText(text);
    return true;
  } catch {
    return false;
  }
}

function readHost(text: string | null): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
