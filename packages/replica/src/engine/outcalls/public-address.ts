import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** IPv4 that is not the public internet: the special-purpose registry of IANA (RFC 6890), and multicast (RFC 5771). */
const SPECIAL_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Metadata and agents of Azure; every other cloud's address lies in a range above.
  ['168.63.129.16', 32],
];

/** What inside 2000::/3, the only public IPv6 there is (RFC 4291), leads elsewhere: Teredo, 6to4, documentation. */
const SPECIAL_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_V4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_V6) special.addSubnet(network, prefix, 'ipv6');

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === address));
}

/**
 * Whether an address, as a resolver answers it, lies on the public internet and is not this machine's. Loopback,
 * private, shared (CGNAT), link-local and metadata addresses, multicast, and IPv6 that carries an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) do not.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4') && !isOwn(address);
    case 6:
      return (
        !address.includes('%') &&
        global.check(address, 'ipv6') &&
        !special.check(address, 'ipv6') &&
        !isOwn(address)
      );
    default:
      return false;
  }
}
