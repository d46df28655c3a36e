import type { RequestHost } from '../../http/transport/served-hosts.ts';
import { type CanisterAddress, parseId } from './addresses.ts';

/** Names that a gateway keeps at most. */
export const MOST_SITE_NAMES = 10_000;

/** A label of a host name (RFC 1123, section 2.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Names by which canisters' sites are served besides their IDs: `shop.localhost`, or below the host of the addresses of sites. Who
 * may have which is for the one to decide who tells them.
 */
export class SiteNames {
  /** The domain of the names, with a dot at the front. */
  readonly #below: string;
  #addresses: ReadonlyMap<string, CanisterAddress> = new Map();

  /** @param canisterUrl where sites are reached from other computers, such as `https://{canisterId}.sites.example.com/` */
  constructor(canisterUrl = 'http://{canisterId}.localhost/') {
    const { hostname } = new URL(canisterUrl.replace('{canisterId}', 'id'));
    this.#below = hostname.slice('id'.length);
  }

  /** The canister that has a host by its name. */
  find({ name }: RequestHost): CanisterAddress | undefined {
    return name.endsWith(this.#below) ? this.#addresses.get(name.slice(0, -this.#below.length)) : undefined;
  }

  /**
   * Exchanges all names at once.
   * @param names the text form of a canister's ID by the name
   * @returns the IDs of the canisters that have lost a name
   * @throws RangeError for too many, for what is no label of a host name, and for IDs in place of names
   */
  replace(names: ReadonlyMap<string, string>): ReadonlySet<string> {
    if (names.size > MOST_SITE_NAMES) throw new RangeError(`There are more than ${MOST_SITE_NAMES} names.`);
    const before = this.#addresses;
    this.#addresses = new Map([...names].map(([name, text]) => [name, addressOf(name, text)]));
    const lost = [...before].filter(([name, { text }]) => names.get(name) !== text);
    return new Set(lost.map(([, { text }]) => text));
  }
}

function addressOf(name: string, text: string): CanisterAddress {
  const canisterId = parseId(text);
  if (!canisterId || !LABEL.test(name) || parseId(name)) {
    throw new RangeError(`"${name}" cannot be a name of the canister "${text}".`);
  }
  return { canisterId, text, raw: false, isOwnHost: true };
}
