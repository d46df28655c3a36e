import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPackageNeeds } from './read-needs.ts';
import { ownFiles } from '../../tenant/own-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cannery-needs-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function files(entries: Record<string, string>): void {
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

test('the needs of the checkout and of its folders, but not of packages in folders', async () => {
  files({
    'mops.toml': '[dependencies]\ncore = "2.5.0"\nown = "./own"\nic = "4.0.0"\n',
    'own/mops.toml': '[dependencies]\nsha2 = "0.1.6"\n[dev-dependencies]\ntest = "1.0.0"\n',
    'own/src/lib.mo': '',
    'canister/mops.toml': '[dependencies]\nmap = "9.0.1"\n',
    '.mops/map@9.0.1/mops.toml': '[dependencies]\nbase = "0.1.0"\n',
    '.mops/map@9.0.1/src/lib.mo': '',
  });
  const { packages, sources } = await readPackageNeeds(ownFiles(root));
  const found = packages.map(({ name, folder, place, isBundled }) => [name, folder, place, isBundled]);
  expect(found).toEqual([
    ['core', null, '.mops/core@2.5.0', true],
    ['ic', null, '.mops/ic@4.0.0', false],
    ['own', 'own', null, false],
    ['sha2', null, '.mops/sha2@0.1.6', false],
    ['base', null, 'canister/.mops/base@0.1.0', false],
    ['map', '.mops/map@9.0.1', 'canister/.mops/map@9.0.1', false],
  ]);
  expect(sources).toBe('--package own own/src\n');
});

test('a file that differs from its hash in mops.lock, or that is not there, ends the build', async () => {
  const lock = (file: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('hex');
    return JSON.stringify({ version: 2, hashes: { 'ic@4.0.0': { [file]: hash } } });
  };
  files({
    'mops.toml': '[dependencies]\nic = "4.0.0"\n',
    '.mops/ic@4.0.0/src/lib.mo': 'module {}',
    'mops.lock': lock('ic@4.0.0/src/lib.mo', 'module {}'),
    secret: 'secret',
  });
  await expect(readPackageNeeds(ownFiles(root))).resolves.toBeDefined();
  symlinkSync(join(root, 'secret'), join(root, '.mops/ic@4.0.0/link.mo'));
  for (const [file, content] of [
    ['ic@4.0.0/src/lib.mo', 'module { evil }'],
    ['ic@4.0.0/src/more.mo', ''],
    ['ic@4.0.0/../../secret', 'secret'],
    ['ic@4.0.0/link.mo', 'secret'],
  ] as const) {
    files({ 'mops.lock': lock(file, content) });
    await expect(readPackageNeeds(ownFiles(root)), file).rejects.toThrow('mops.lock has another hash for');
  }
});
