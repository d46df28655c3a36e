import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('check-layers.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cannery-layers-'));
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

execFileSync('git', ['init', '-q'], { cwd: folder });
const folders = {
  'apps/server/src': ['apps/server/src/*'],
  'apps/server/src/db': [],
  'apps/server/src/features/user': ['apps/server/src/db'],
};
put('layers.json', JSON.stringify({ folders, packages: {} }));
put('apps/server/src/main.ts', "import './features/user/names/short.ts';");
put('apps/server/src/db/open.ts', 'export const open = 1;');
put('apps/server/src/features/user/names/short.ts', "import '../../../db/open.ts';");

test('what is listed may import what its list names', () => {
  expect(problems()).toEqual([]);
});

test('an import upwards is refused', () => {
  put('apps/server/src/db/open.ts', "import '../features/user/names/short.ts';");
  expect(problems()).toEqual([expect.stringContaining('apps/server/src/db may not import')]);
  put('apps/server/src/db/open.ts', 'export const open = 1;');
});

test('a new folder needs a place, also below one that is listed', () => {
  put('apps/server/src/features/team/add.ts', "import '../../db/open.ts';");
  expect(problems()).toEqual([
    'apps/server/src/features/team/add.ts: its folder is not in layers.json; place it.',
  ]);
});
