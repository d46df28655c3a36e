import { Principal } from '@icp-sdk/core/principal';

/** The canister a web request is meant for. */
export interface CanisterAddress {
  readonly canisterId: Uint8Array;
  /** Raw addresses serve the response unverified. */
  readonly raw: boolean;
}

/**
 * Finds the canister in the host name (`<id>.localhost`, `<id>.raw.localhost`, or below any other domain that
 * points here), in the query (`?canisterId=<id>`), or, for files a page loads, in the query of that page.
 */
export function findCanister(
  host: string | undefined,
  url: URL,
  referer: string | undefined,
): CanisterAddress | undefined {
  const [first = '', second] = (host ?? '').toLowerCase().split(':', 1)[0]?.split('.') ?? [];
  const fromHost = second === undefined ? undefined : parseId(first);
  if (fromHost) return { canisterId: fromHost, raw: second === 'raw' };
  const page = referer === undefined ? undefined : URL.parse(referer);
  const text = url.searchParams.get('canisterId') ?? page?.searchParams.get('canisterId');
  const canisterId = text ? parseId(text) : undefined;
  return canisterId && { canisterId, raw: false };
}

function parseId(text: string): Uint8Array | undefined {
  try {
    return Principal.fromText(text).toUint8Array();
  } catch {
    return undefined;
  }
}
