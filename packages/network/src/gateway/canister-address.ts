import { Principal } from '@icp-sdk/core/principal';

/** The canister a web request is meant for. */
export interface CanisterAddress {
  readonly canisterId: Uint8Array;
  /** The ID in its text form. */
  readonly text: string;
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
  if (fromHost) return { canisterId: fromHost, text: first, raw: second === 'raw' };
  const page = referer === undefined ? undefined : URL.parse(referer);
  const text = url.searchParams.get('canisterId') ?? page?.searchParams.get('canisterId');
  const canisterId = text ? parseId(text) : undefined;
  return text && canisterId ? { canisterId, text, raw: false } : undefined;
}

const PRINCIPAL_TEXT = /^[a-z2-7]{5}(-[a-z2-7]{1,5})+$/;
const MAX_REMEMBERED = 1_000;
const remembered = new Map<string, Uint8Array>();

/** A page asks for the same canister with each of its files, so that the last IDs read are kept. */
function parseId(text: string): Uint8Array | undefined {
  const known = remembered.get(text);
  if (known) return known;
  if (!PRINCIPAL_TEXT.test(text)) return undefined;
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
