import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('check-tenant-paths.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cannery-paths-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** What the check says about the project in the folder, a line for each problem. */
function problems(): string[] {
  execFileSync('git', ['add', '-A'], { cwd: folder });
  const { stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return stderr.split('\n').filter((line) => line !== '');
}

const BUILD = 'apps/server/src/build';
execFileSync('git', ['init', '-q'], { cwd: folder });
put(
  'server-paths.json',
  JSON.stringify({
    folders: [BUILD],
    mounts: { [`${BUILD}/mount.ts`]: 'mounts' },
    names: { [`${BUILD}/mount.ts`]: 'mounts' },
    files: { [`${BUILD}/own.ts`]: 'files of the product' },
  }),
);
put(
  `${BUILD}/mount.ts`,
  "import { diskOf } from './tenant/disk-of.ts';\nexport const all = machine.tenantsFolder;",
);
put(`${BUILD}/own.ts`, "import { readFile } from 'node:fs/promises';");
put(`${BUILD}/own.test.ts`, "import { readFile } from 'node:fs/promises';\nimport './tenant/disk-of.ts';");
put('apps/server/src/blobs/put.ts', "import { readFile } from 'node:fs/promises';");

test('[R7] what is listed may open paths, and so may tests and code that does not work for tenants', () => {
  expect(problems()).toEqual([]);
});

test.each([
  ['node:fs', "import { readFileSync } from 'node:fs';", 'opens paths'],
  ['node:fs/promises', "import * as all from 'node:fs/promises';", 'opens paths'],
  ['fs, on demand', "const { open } = await import('fs');", 'opens paths'],
  ['fs, by require', "createRequire(import.meta.url); require('fs').readFileSync(path);", 'opens paths'],
  ['a re-export', "export { rm } from 'node:fs/promises';", 'opens paths'],
  ['the place of a folder', "import { diskOf } from './tenant/disk-of.ts';", 'only what mounts'],
  ['the folder of all tenants', "join(machine.tenantsFolder, owner, 'builds')", 'folder of all tenants'],
  ['the same by its name', "join(config.dataDir, 'tenants', owner)", 'folder of all tenants'],
])('[R7] product code outside the one place that uses %s is refused', (_what, text, says) => {
  put(`${BUILD}/deeper/new.ts`, text);
  expect(problems()).toEqual([expect.stringMatching(`^${BUILD}/deeper/new.ts: .*${says}`)]);
  rmSync(path.join(folder, BUILD, 'deeper'), { recursive: true });
});

test('a file that opens nothing any more loses its place in the list', () => {
  put(`${BUILD}/own.ts`, 'export const nothing = 1;');
  expect(problems()).toEqual([expect.stringContaining(`lists ${BUILD}/own.ts`)]);
  put(`${BUILD}/own.ts`, "import { readFile } from 'node:fs/promises';");
});
