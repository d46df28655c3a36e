import { expect, test } from 'vitest';
import { addressTenant, Callers } from './callers.ts';

test('a request counts as the user of a credential that was found valid, else as its address', () => {
  const callers = new Callers();
  expect(callers.tenantOf('secret', '10.0.0.1')).toBe('address:10.0.0.1');
  callers.know('secret', 'ada');
  expect(callers.tenantOf('secret', '10.0.0.1')).toBe('user:ada');
  expect(callers.tenantOf(undefined, '10.0.0.1')).toBe('address:10.0.0.1');
  callers.forget('secret');
  expect(callers.tenantOf('secret', '10.0.0.1')).toBe('address:10.0.0.1');
});

test('the memory of credentials has an end', () => {
  const callers = new Callers();
  for (let index = 0; index <= 10_000; index += 1) callers.know(`secret ${index}`, `${index}`);
  expect([0, 5000, 10_000].map((index) => callers.isKnown(`secret ${index}`))).toEqual([false, true, true]);
});

test.each([
  ['127.0.0.1', 'address:127.0.0.1'],
  ['::ffff:127.0.0.1', 'address:127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2'],
  ['2001:DB8:1:2::9', 'address:2001:db8:1:2'],
  ['2001:db8::1', 'address:2001:db8:0:0'],
  ['::1', 'address:0:0:0:0'],
])('the address %s counts as %s', (address, tenant) => {
  expect(addressTenant(address)).toBe(tenant);
});
