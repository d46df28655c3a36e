/** A host that may be reached through the proxy. */
export interface EgressHost {
  /** Name or address as in a normalised URL: lower case, an IPv6 address in brackets. */
  readonly name: string;
  readonly port: number;
  /** Whether it is spoken to in plain http; otherwise in TLS, which the proxy passes on unread. */
  readonly plain: boolean;
  /** Whether it may have an address that is not public: only what the operator names with its port. */
  readonly mayBePrivate: boolean;
  /** What it is, for messages. */
  readonly what: 'registry' | 'git host' | 'host';
}

const HTTPS = 443;
const HTTP = 80;

/** The host of an http or https address of the operator's, such as a registry. It may be private. */
export function operatorHost(address: string, what: EgressHost['what']): EgressHost | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const plain = protocol === 'http:';
  const standard = plain ? HTTP : HTTPS;
  return { name: hostname, port: port === '' ? standard : Number(port), plain, mayBePrivate: true, what };
}

/** The entry of a list that allows this host, port and way of speaking; null when none does. */
export function findHost(
  hosts: readonly EgressHost[],
  wanted: { readonly name: string; readonly port: number; readonly plain: boolean },
): EgressHost | null {
  const found = hosts.filter(
    ({ name, port, plain }) => name === wanted.name && port === wanted.port && plain === wanted.plain,
  );
  return found.find(({ mayBePrivate }) => mayBePrivate) ?? found[0] ?? null;
}
