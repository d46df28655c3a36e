import { expect, test } from 'vitest';
import { type LockedPackages, neededPackages, partOfLock } from './part-of-lock.ts';

const packages: LockedPackages = {
  '': {},
  'apps/server': { version: '1.0.0', dependencies: { one: '^1.0.0' } },
  'node_modules/@cannery/server': { link: true, resolved: 'apps/server' },
  'node_modules/one': { version: '1.2.3', integrity: 'sha512-1', dev: true, dependencies: { shared: '^1' } },
  'node_modules/one/node_modules/shared': { version: '1.0.0', peerDependencies: { peer: '*' } },
  'node_modules/shared': { version: '2.0.0' },
  'node_modules/peer': { version: '3.0.0', optionalDependencies: { absent: '*' } },
  'node_modules/alias': { name: 'real', version: '4.0.0' },
  'node_modules/for-linux': { version: '5.0.0', os: ['linux'], optional: true },
};

test('what a package needs is found as Node finds it, through links of workspaces too', () => {
  expect(neededPackages(packages, ['@cannery/server'])).toEqual([
    'apps/server',
    'node_modules/one',
    'node_modules/one/node_modules/shared',
    'node_modules/peer',
  ]);
  expect(() => neededPackages(packages, ['nobody'])).toThrow('nobody');
  expect(neededPackages(packages, ['@cannery/server', 'shared'], ['one'])).toEqual([
    'apps/server',
    'node_modules/shared',
  ]);
});

test('a part of a lock file has the same versions and hashes, and nothing of tools', () => {
  const { manifest, lock } = partOfLock(packages, {
    name: 'part',
    required: ['one', 'alias'],
    optional: ['for-linux'],
  });
  expect(manifest).toEqual({
    name: 'part',
    private: true,
    dependencies: { one: '1.2.3', alias: 'npm:real@4.0.0' },
    optionalDependencies: { 'for-linux': '5.0.0' },
  });
  const { packages: part } = lock as { packages: LockedPackages };
  expect(Object.keys(part)).not.toContain('node_modules/shared');
  expect(part['node_modules/one']).toEqual({
    version: '1.2.3',
    integrity: 'sha512-1',
    dependencies: { shared: '^1' },
  });
  expect(part['node_modules/for-linux']).toEqual({ version: '5.0.0', os: ['linux'], optional: true });
});
