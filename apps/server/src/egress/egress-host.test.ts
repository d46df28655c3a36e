import { expect, test } from 'vitest';
import { hostOf } from '../config/host-and-port.ts';
import { findHost, operatorHost } from './egress-host.ts';
import { gitEgress, packageEgress } from './hosts.ts';

const settings = {
  gitHosts: [
    { name: 'github.com', port: 443 },
    { name: 'git.internal', port: 443 },
  ],
  hosts: [{ name: 'fonts.example', port: 443 }],
  privateHosts: [
    { name: 'git.internal', port: 443 },
    { name: 'cache.internal', port: 8443 },
  ],
};
const registry = 'http://127.0.0.1:4873/';
const packages = packageEgress(settings, [registry, 'not an address', 'file:///etc/passwd']);
const found = (name: string, port = 443, plain = false): string =>
  findHost(packages, { name, port, plain })?.what ?? 'none';

test.each([
  ['127.1:443', '127.0.0.1'],
  ['2130706433:443', '127.0.0.1'],
  ['0x7f.0.0.1:443', '127.0.0.1'],
  ['0177.0.0.1:443', '127.0.0.1'],
  ['GitHub.COM:443', 'github.com'],
  ['[::FFFF:127.0.0.1]:443', '[::ffff:7f00:1]'],
])('%s is read as %s', (text, name) => expect(hostOf(text)).toEqual({ name, port: 443 }));

test.each([
  '',
  'github.com@127.0.0.1:443',
  'github.com/../x:443',
  'github.com:443#x',
  'git hub.com:443',
  'github.com:99999',
  'github.com\t:443',
  '[::1%lo]:443',
  'ex%61mple.com:443',
])('%j is no host', (text) => expect(hostOf(text)).toBeNull());

test('only what is listed is found, with its port and its way of speaking', () => {
  expect(
    ['registry.npmjs.org', 'github.com', 'codeload.github.com', 'fonts.example'].map((name) => found(name)),
  ).toEqual(['registry', 'git host', 'host', 'host']);
  expect(found('127.0.0.1', 4873, true)).toBe('registry');
  expect(found('cache.internal', 8443)).toBe('host');
  for (const [name, port, plain] of [
    ['127.0.0.1', 4873, false],
    ['127.0.0.1', 4874, true],
    ['localhost', 4873, true],
    ['github.com', 22, false],
    ['github.com', 80, true],
    ['registry.npmjs.org', 80, true],
    ['evil.github.com', 443, false],
    ['github.com.', 443, false],
    ['cache.internal', 443, false],
  ] as const)
    expect(found(name, port, plain), name).toBe('none');
});

test('only what the operator names with its port may be private', () => {
  const priv = packages.filter(({ mayBePrivate }) => mayBePrivate).map(({ name, port }) => `${name}:${port}`);
  expect(priv).toEqual(['127.0.0.1:4873', 'git.internal:443', 'cache.internal:8443']);
  expect(operatorHost('https://npm.example/path', 'registry')).toMatchObject({ port: 443, plain: false });
  expect(gitEgress(settings).map(({ name, mayBePrivate }) => `${name} ${mayBePrivate}`)).toEqual([
    'github.com false',
    'git.internal false',
    'git.internal true',
  ]);
});
