import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import type { OutcallPolicy } from '../../state/outcall.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** No address of the host may be asked. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** An IPv4 address that was written as one of IPv6 (`::ffff:1.1.1.1`) is that IPv4 address; every other is itself. */
function unmapped(address: string): string {
  if (!isIPv6(address)) return address;
  const [, plain] = /^::ffff:([\d.]+)$/.exec(new SocketAddress({ address, family: 'ipv6' }).address) ?? [];
  return plain ?? address;
}

function isAllowed(address: string, policy: OutcallPolicy, secure: boolean): boolean {
  const plain = unmapped(address);
  if (LOOPBACK.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')) return policy === 'https-and-loopback';
  return secure && isPublicAddress(plain);
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
