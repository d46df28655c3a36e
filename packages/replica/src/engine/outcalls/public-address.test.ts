import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '140.82.112.3',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.0.1',
  '2606:4700::1111',
])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '127.1',
  '0x7f000001',
  '2130706433',
  'localhost',
  '',
])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

/** First and last address of each range that is not public, and its neighbours, which are. */
test.each([
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['2000:ffff:ffff::', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db7:ffff::', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2001:ffff::', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['3ffe::', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
])('%s is public, %s to %s are not, %s is', (before, first, last, after) => {
  expect([before, first, last, after].map(isPublicAddress)).toEqual([true, false, false, true]);
});

test.each(['0.0.0.0', '0.255.255.255', '224.0.0.0', '255.255.255.255', '1fff:ffff::1', '4000::'])(
  '%s is at an end of what is public',
  (address) => expect(isPublicAddress(address)).toBe(false),
);

test('no address of this machine is', () => {
  for (const list of Object.values(networkInterfaces()))
    for (const { address } of list ?? []) expect(isPublicAddress(address)).toBe(false);
});
