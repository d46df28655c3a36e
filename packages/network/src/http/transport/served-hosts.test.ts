import { expect, test } from 'vitest';
import { ServedHosts } from './served-hosts.ts';

test.each([
  ['one address of loopback', ['127.0.0.1'], true],
  ['a name of loopback', ['localhost', 'net.localhost', '::1', '*.net.localhost'], true],
  ['every address', ['0.0.0.0'], false],
  ['every address, IPv6', ['::'], false],
  ['every address, written in full', ['0:0:0:0:0:0:0:0'], false],
  ['one other address', ['192.168.1.5'], false],
  ['an address in another form', ['0'], false],
  ['a name, behind a proxy on this computer', ['127.0.0.1', 'net.example.com'], false],
  ['names below one', ['127.0.0.1', '*.example.com'], false],
])('whether only this computer can be meant: %s', (_name, names, expected) => {
  expect(new ServedHosts(names).areLoopback).toBe(expected);
});

test('an IPv6 address is served however it is written', () => {
  const hosts = new ServedHosts(['fd00::0:1']);
  expect(hosts.find('[FD00:0::1]:4943')).toEqual({
    name: '[fd00::1]',
    port: ':4943',
    labels: ['[fd00::1]'],
  });
  expect(hosts.find('[fd00::2]')).toBeUndefined();
});

test.each([
  'http://example.com',
  'a b',
  '*',
  '*.',
  'a.*.example.com',
  '',
  'example.com/x',
  '*.*.example.com',
])('what is no name is refused: %s', (name) => expect(() => new ServedHosts([name])).toThrow(RangeError));

test.each([
  ['shop.localhost:1', ['shop']],
  ['a.shop.localhost', ['a', 'shop']],
  ['shop.net.localhost', ['shop']],
  ['a.raw.sites.example.com', ['a', 'raw']],
  ['deep.sites.example.com', ['deep']],
  ['a.deep.sites.example.com', ['a']],
  ['id.net.example.com', ['id']],
  ['localhost', ['localhost']],
])('what stands before the domain of sites: %s', (name, labels) => {
  const domains = [
    '*.net.localhost',
    '*.sites.example.com',
    '*.deep.sites.example.com',
    'id.net.example.com',
  ];
  expect(new ServedHosts(domains).find(name)?.labels).toEqual(labels);
});
