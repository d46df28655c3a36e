import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { OutcallPolicy } from '../../state/outcall.ts';

/**
 * Ranges that do not lead to the public Internet (IANA special-purpose address registries), or to it only by way of an
 * IPv4 address inside. IPv4 ranges hold for IPv4-mapped IPv6 addresses too.
 */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
const INTERNAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  INTERNAL.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INTERNAL.addSubnet(network, prefix, 'ipv6');
}

/** No address of the host may be asked. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

function isAllowed(address: string, policy: OutcallPolicy, secure: boolean): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(address, family)) return policy === 'https-and-loopback';
  return secure && !INTERNAL.check(address, family);
}

/**
 * The address to connect to for a host name or an address. It is looked up once, here: a name that changes its address
 * afterwards cannot lead anywhere else. Throws `AddressError`, and what the resolver throws.
 */
export async function outcallAddress(
  hostname: string,
  policy: OutcallPolicy,
  secure: boolean,
): Promise<{ readonly address: string; readonly family: 4 | 6 }> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const candidates =
    isIP(host) > 0 ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  const address = candidates.find((candidate) => isAllowed(candidate, policy, secure));
  if (address === undefined) throw new AddressError(`${host} is not an address canisters may reach`);
  return { address, family: isIPv6(address) ? 6 : 4 };
}
