import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPackages, packageRoot } from './find-packages.ts';
import { ownFiles } from '../../tenant/own-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cannery-packages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function files(entries: Record<string, string>): void {
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A committed package with a source and what it needs. */
function committed(id: string, needs = ''): Record<string, string> {
  return {
    [`.mops/${id}/mops.toml`]: `[dependencies]\n${needs}`,
    [`.mops/${id}/src/lib.mo`]: 'module {}',
  };
}

async function foldersOf(project = ''): Promise<Record<string, string>> {
  return Object.fromEntries((await findPackages(ownFiles(root), project)).folders);
}

test('what packages need is found too; of two versions the higher one counts', async () => {
  files({
    'mops.toml': '[dependencies]\none = "1.0.0"\ntwo = "1.0.0"\n',
    ...committed('one@1.0.0', 'deep = "1.9.0"\n'),
    ...committed('two@1.0.0', 'deep = "1.10.0"\n'),
    ...committed('deep@1.9.0', 'old = "1.0.0"\n'),
    ...committed('deep@1.10.0', 'new = "1.0.0"\n'),
    ...committed('old@1.0.0'),
    ...committed('new@1.0.0'),
  });
  expect(await foldersOf()).toEqual({
    one: '.mops/one@1.0.0/src',
    two: '.mops/two@1.0.0/src',
    deep: '.mops/deep@1.10.0/src',
    new: '.mops/new@1.0.0/src',
  });
});

test("the project's own version counts before a higher one of a package, also one for its tests", async () => {
  files({
    'mops.toml': '[dependencies]\none = "1.0.0"\n[dev-dependencies]\ndeep = "1.0.0"\n',
    ...committed('one@1.0.0', 'deep = "2.0.0"\n'),
    ...committed('deep@1.0.0'),
    ...committed('deep@2.0.0'),
  });
  expect(await foldersOf()).toMatchObject({ deep: '.mops/deep@1.0.0/src' });
});

test('two versions under names with their major version', async () => {
  files({
    'mops.toml': '[dependencies]\n"map@8" = "8.1.0"\nmap = "9.0.1"\n',
    ...committed('map@8.1.0'),
    ...committed('map@9.0.1'),
  });
  expect(await foldersOf()).toEqual({ 'map@8': '.mops/map@8.1.0/src', map: '.mops/map@9.0.1/src' });
});

test('packages that need each other, and a folder that names itself, come to an end', async () => {
  files({
    'mops.toml': '[dependencies]\none = "1.0.0"\nown = "./"\n',
    'src/lib.mo': '',
    ...committed('one@1.0.0', 'two = "1.0.0"\n'),
    ...committed('two@1.0.0', 'one = "1.0.0"\n'),
  });
  expect(Object.keys(await foldersOf()).sort()).toEqual(['one', 'own', 'two']);
});

test('folders of the project, with sources in src, in baseDir or right there', async () => {
  files({
    'canister/mops.toml': '[dependencies]\na = "../shared/a"\nb = "../shared/b"\nc = "../shared/c"\n',
    'shared/a/src/lib.mo': '',
    'shared/b/mops.toml': '[package]\nbaseDir = "lib"\n[dependencies]\nc = "../c"\n',
    'shared/b/lib/lib.mo': '',
    'shared/c/lib.mo': '',
  });
  expect(await foldersOf('canister')).toEqual({ a: 'shared/a/src', b: 'shared/b/lib', c: 'shared/c' });
});

test.each(['../outside', '/etc', './a/../../../b'])(
  'the folder %s of a package is outside the repository',
  async (path) => {
    files({ 'mops.toml': `[dependencies]\nx = "${path}"\n` });
    await expect(findPackages(ownFiles(root))).rejects.toThrow('outside the repository');
  },
);

test.each([
  ['"../../x" = "1.0.0"', 'is not a package name'],
  ['x = "../../1.0.0"', 'outside the repository'],
  ['x = "1.0.0/../../.."', 'is not a version'],
  ['x = "https://github.com/o/r#../../x"', 'cannot be read'],
  ['x = "https://github.com/o/r#v1@not-a-commit"', 'cannot be read'],
  ['x = "http://github.com/o/r#v1"', 'cannot be read'],
  ['x = { version = "1" }', 'has no version'],
])('mops.toml with %s is refused', async (line, reason) => {
  files({ 'mops.toml': `[dependencies]\n${line}\n` });
  await expect(findPackages(ownFiles(root))).rejects.toThrow(reason);
});

test('a package of git lies below _github, and needs what its vessel files say', async () => {
  files({
    'mops.toml': '[dependencies]\nmap = "https://github.com/o/map#release/v1@0123abc"\n',
    '.mops/_github/map#release___v1@0123abc/src/lib.mo': '',
    '.mops/_github/map#release___v1@0123abc/vessel.dhall':
      '{ dependencies = [ "sha" ], compiler = None Text }',
    '.mops/_github/map#release___v1@0123abc/package-set.dhall':
      '[ { name = "sha", repo = "https://github.com/o/sha.git", version = "v2", dependencies = [] : List Text } ]',
    '.mops/_github/sha#v2/src/lib.mo': '',
  });
  expect(await foldersOf()).toEqual({
    map: '.mops/_github/map#release___v1@0123abc/src',
    sha: '.mops/_github/sha#v2/src',
  });
});

test('vessel: packages of the set and what they need, with versions as in the set', async () => {
  files({
    'vessel.dhall': '{ dependencies = [ "base", "one" ], compiler = Some "0.6.21" }',
    'package-set.dhall':
      'let upstream = https://github.com/o/set.dhall sha256:' +
      `${'0'.repeat(64)}\nlet Package = { name : Text, version : Text, repo : Text, dependencies : List Text }\n` +
      'let additions = [ { name = "one", repo = "https://github.com/o/one", version = "v1", dependencies = [ "two" ] }\n' +
      ', { name = "two", repo = "https://github.com/o/two", version = "v0.1", dependencies = [] : List Text } ]\n' +
      'let overrides = [] : List Package in upstream # additions # overrides',
    '.vessel/one/v1/src/lib.mo': '',
  });
  const packages = await findPackages(ownFiles(root));
  expect([...packages.folders]).toEqual([['one', '.vessel/one/v1/src']]);
  expect(packages.extraSources).toEqual(['.vessel/one/v1']);
  expect(packages.missing.get('two')).toContain('Make https://github.com/o/two reachable');
  expect(packages.missing.has('base')).toBe(false);
});

test('vessel: a package that only an unread set has is told with the address of the set', async () => {
  files({
    'vessel.dhall': '{ dependencies = [ "sha256", "committed" ] }',
    'package-set.dhall': 'https://example.com/set.dhall',
    '.vessel/committed/v3/src/lib.mo': '',
  });
  const packages = await findPackages(ownFiles(root));
  expect(packages.missing.get('sha256')).toContain(
    'the set https://example.com/set.dhall is not supported here',
  );
  expect(packages.folders.get('committed')).toBe('.vessel/committed/v3/src');
});

test('a package that is not there is told with the file that names it and what to do', async () => {
  files({ 'mops.toml': '[dependencies]\nic = "4.0.0"\n', ...committed('ic@3.2.0') });
  const packages = await findPackages(ownFiles(root));
  expect(packages.folders.size).toBe(0);
  expect(packages.wanted.get('ic')).toBe('4.0.0');
  expect(packages.missing.get('ic')).toBe(
    "mops.toml names it. Make the mops registry reachable for this server, or run 'mops install', commit the folder .mops, and push.",
  );
});

test('a lock file that belongs to mops.toml decides the versions', async () => {
  const toml = '[dependencies]\none = "1.0.0"\n';
  const lock = (hash: string): string =>
    JSON.stringify({ version: 3, mopsTomlDepsHash: hash, deps: { one: '1.0.0', deep: '1.0.0' }, hashes: {} });
  const hash = createHash('sha256').update('{"one":"1.0.0"}').digest('hex');
  const sources = {
    'mops.toml': toml,
    ...committed('one@1.0.0', 'deep = "2.0.0"\n'),
    ...committed('deep@1.0.0'),
    ...committed('deep@2.0.0'),
  };
  files({ ...sources, 'mops.lock': lock(hash) });
  expect(await foldersOf()).toMatchObject({ deep: '.mops/deep@1.0.0/src' });
  files({ 'mops.lock': lock('0'.repeat(64)) });
  expect(await foldersOf()).toMatchObject({ deep: '.mops/deep@2.0.0/src' });
});

test('without a mops.toml the highest committed version of each package counts', async () => {
  files({ ...committed('map@9.0.1'), ...committed('map@10.0.0') });
  expect(await foldersOf()).toEqual({ map: '.mops/map@10.0.0/src' });
});

test('the settings next to a canister count for it; a link is none', async () => {
  files({ 'mops.toml': '', 'canisters/a/mops.toml': '', 'canisters/a/src/main.mo': '', 'b/main.mo': '' });
  symlinkSync(join(root, 'mops.toml'), join(root, 'b/mops.toml'));
  expect(await packageRoot(ownFiles(root), 'canisters/a/src/main.mo')).toBe('canisters/a');
  expect(await packageRoot(ownFiles(root), 'b/main.mo')).toBe('');
});
