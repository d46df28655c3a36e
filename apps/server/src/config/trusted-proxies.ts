import { isIP } from 'node:net';

/** What TRUST_PROXY says; undefined for text that says nothing. */
export function proxiesOf(text: string): string[] | false | undefined {
  if (text === 'off') return false;
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every((address) => isAddressRange(address)) ? addresses : undefined;
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
  return isIP(address) !== 0 && rest.length === 0 && fits;
}
