import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBackup, PRODUCT_VERSION, writeManifest } from './manifest.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-manifest-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const told = {
  takenAt: '2026-11-28T18:00:00.000Z',
  heldMs: 12,
  openPayments: 0,
  migrations: ['0001-core'],
  rows: { users: 1 },
  sequences: {},
  repositories: 0,
  uploads: 'copied',
  network: 'copied',
  hasKeys: false,
  settings: { PORT: '4000', DATABASE_URL: null },
} as const;

test('the version of a backup is that of the product', () => {
  const root = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  expect(JSON.parse(readFileSync(root, 'utf8'))).toMatchObject({ version: PRODUCT_VERSION });
});

test('every flipped bit of every file is found, and so is a link', async () => {
  writeFileSync(join(folder, 'rows'), 'peaches');
  await writeManifest(folder, { ...told, migrations: [...told.migrations] });
  expect((await checkBackup(folder)).files).toMatchObject([{ path: 'rows', bytes: 7 }]);
  for (const name of ['rows', 'manifest.json', 'manifest.sha256']) {
    const bytes = readFileSync(join(folder, name));
    for (let at = 0; at < Math.min(bytes.length, 60); at += 7) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      writeFileSync(join(folder, name), flipped);
      await expect(checkBackup(folder), `${name} at ${at}`).rejects.toThrow(/damaged/);
    }
    writeFileSync(join(folder, name), bytes);
  }
  symlinkSync('/etc/passwd', join(folder, 'more'));
  await expect(checkBackup(folder)).rejects.toThrow('neither a file nor a folder');
});
