import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPackages } from './find-packages.ts';
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

test('packages the repository brings along', async () => {
  files({
    'mops.toml': '[dependencies]\ncore = "2.5.0"\njson = "1.0.0"\nown = "./packages/own"\nsha2 = "0.1.0"\n',
    'packages/own/mops.toml': '[package]\nname = "own"\nbaseDir = "lib"\n',
    'packages/own/lib/lib.mo': 'module {}',
    '.mops/json@1.0.0/mops.toml': '[package]\nname = "json"\n',
  });
  const packages = await findPackages(ownFiles(root));
  expect([...packages.folders]).toEqual([
    ['json', '.mops/json@1.0.0/src'],
    ['own', 'packages/own/lib'],
  ]);
  expect(packages.wanted.get('sha2')).toBe('0.1.0');
});
