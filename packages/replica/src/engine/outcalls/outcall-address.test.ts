import { describe, expect, test } from 'vitest';
import type { OutcallPolicy } from '../../state/outcall.ts';
import { AddressError, outcallAddress } from './outcall-address.ts';

const isOpen = async (host: string, policy: OutcallPolicy, secure = true): Promise<boolean> => {
  try {
    await outcallAddress(host, policy, secure);
    return true;
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
};

const INTERNAL = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.51.100.7',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '[::]',
  '[::10.1.2.3]',
  '[::ffff:10.1.2.3]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a01:203]',
  '[2001:0:a01:203::]',
  '[2002:a01:203::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[4000::1]',
  '[2606:4700::1111%1]',
  '[::ffff:168.63.129.16]',
];
const LOOPBACK = ['127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:127.0.0.1]', 'localhost'];
const PUBLIC = ['1.1.1.1', '172.32.0.1', '[2606:4700::1111]', '[::ffff:1.1.1.1]'];

describe('addresses that canisters may reach', () => {
  test.each(INTERNAL)('%s never', async (host) => {
    expect(await isOpen(host, 'https')).toBe(false);
    expect(await isOpen(host, 'https-and-loopback')).toBe(false);
  });

  test.each(LOOPBACK)('%s only where it is allowed', async (host) => {
    expect(await isOpen(host, 'https')).toBe(false);
    expect(await isOpen(host, 'https-and-loopback')).toBe(true);
    expect(await isOpen(host, 'https-and-loopback', false)).toBe(true);
  });

  test.each(PUBLIC)('%s by https only', async (host) => {
    expect(await isOpen(host, 'https')).toBe(true);
    expect(await isOpen(host, 'https-and-loopback', false)).toBe(false);
  });
});
