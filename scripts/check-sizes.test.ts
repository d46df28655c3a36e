import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('check-sizes.ts', import.meta.url));

test('a file of 401 lines and a folder of 26 files are refused, and an exception in vain', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-sizes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const fill = (name: string, files: number): void => {
    mkdirSync(path.join(folder, name), { recursive: true });
    for (let n = 0; n < files; n += 1) writeFileSync(path.join(folder, name, `f${n}.ts`), 'const a = 1;\n');
  };
  fill('apps/server/src/db/migrations', 26);
  fill('apps/console/src/components/ui', 25);
  fill('packages/a', 25);
  fill('packages/b', 26);
  writeFileSync(path.join(folder, 'long.ts'), 'const a = 1;\n'.repeat(401));
  writeFileSync(path.join(folder, 'whole.ts'), 'const a = 1;\n'.repeat(400));
  const { stderr, status } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  expect(stderr.trim().split('\n')).toEqual([
    'long.ts: 401 lines, the limit is 400.',
    'packages/b: 26 files, the limit is 25.',
    'apps/console/src/components/ui: it is excepted from the limit of 25 files in vain.',
  ]);
  expect(status).toBe(1);
});
