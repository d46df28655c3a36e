import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Packs the checkout as 1.0.0, and once more under the next number: an upgrade to the same code. */
export function packReleases(folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, ['scripts/release/pack.ts', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const unpacked = mkdtempSync(join(tmpdir(), 'cannery-next-'));
  try {
    execFileSync('tar', ['-xzf', join(folder, 'cannery-1.0.0.tgz'), '-C', unpacked]);
    const file = join(unpacked, 'package/package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, version: '1.1.0' }));
    execFileSync('tar', ['-czf', join(folder, 'cannery-1.1.0.tgz'), '-C', unpacked, 'package']);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}
