declare const counted: unique symbol;

/** A client as its requests are counted: an address, of IPv6 a network. Only `clientAddress` makes one. */
export type ClientAddress = string & { readonly [counted]: true };

/**
 * Whom a connection from `remoteAddress` counts for; of IPv6 the first 64 bits, since who has one of these addresses has all of them
 * (RFC 6177). Connections that are closed have no address, and count together.
 */
export function clientAddress(remoteAddress: string | undefined): ClientAddress {
  return networkOf(remoteAddress ?? '') as ClientAddress;
}

function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
