import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';

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
const server = {
  floors: ['src/errors.ts', 'src/db', 'src/features/*', 'src', 'crash'],
  siblings: { 'src/features/session': ['user'] },
  tools: { crash: ['packages/network'] },
};
put('layers.json', JSON.stringify({ 'apps/server': server, 'packages/network': { floors: ['src'] } }));
put('apps/server/package.json', JSON.stringify({ name: '@x/server' }));
put('packages/network/package.json', JSON.stringify({ name: '@x/network' }));
put('packages/network/src/index.ts', 'export const network = 1;');
put('apps/server/src/main.ts', "import './features/user/names/short.ts';");
put('apps/server/src/errors.ts', 'export const none = 0;');
put('apps/server/src/db/open.ts', "import '../errors.ts';");
put('apps/server/src/features/user/names/short.ts', "import '../../../db/open.ts';\nimport '../long.ts';");
put('apps/server/src/features/user/long.ts', "import { x } from 'elsewhere';");
put('apps/server/src/features/session/end.ts', "import '../user/long.ts';");
put(
  'apps/server/crash/kill.ts',
  "import '../../../packages/network/src/index.ts';\nimport '../src/main.ts';",
);

/** Puts another text into a file of the project until the test is over. */
function changed(file: string, text: string): void {
  const before = readFileSync(path.join(folder, file), 'utf8');
  onTestFinished(() => put(file, before));
  put(file, text);
}

test('a place may import what is on the floors below it, and the siblings that it lists', () => {
  expect(problems()).toEqual([]);
});

test.each([
  ['upwards', 'db/open.ts', '../features/user/long.ts', 'src/features/user is on a floor above src/db'],
  ['to files above all', 'db/open.ts', '../main.ts', 'src is on a floor above src/db'],
  ['of a file', 'errors.ts', './db/open.ts', 'src/db is on a floor above src/errors.ts'],
  [
    'to a sibling',
    'features/user/long.ts',
    '../session/end.ts',
    'src/features/user does not list its sibling session',
  ],
  ['to no floor', 'main.ts', './features/text.ts', 'it is on no floor'],
])('an import %s is refused', (_where, file, specifier, reason) => {
  changed(`apps/server/src/${file}`, `import '../errors.ts';\nexport * from '${specifier}';`);
  expect(problems()).toContain(`apps/server/src/${file}: may not import ${specifier}: ${reason}.`);
});

test('another package is imported by its name, where package.json names it', () => {
  changed('apps/server/src/main.ts', "import '@x/network/parts';");
  const refused = 'the package.json of apps/server does not name packages/network';
  expect(problems()).toEqual([`apps/server/src/main.ts: ${refused} (@x/network/parts).`]);
  changed(
    'apps/server/package.json',
    JSON.stringify({ name: '@x/server', dependencies: { '@x/network': '1' } }),
  );
  expect(problems()).toEqual([]);
  const byPath = '../../../packages/network/src/index.ts';
  changed('apps/server/src/main.ts', `import '${byPath}';`);
  expect(problems()).toEqual([`apps/server/src/main.ts: ${refused} (${byPath}).`]);
});

test('a new folder needs a floor, unless it is in a listed one or among siblings', () => {
  put('apps/server/src/teams/add.ts', "import '../db/open.ts';");
  put('apps/server/src/features/team/add.ts', "import '../../db/open.ts';");
  put('apps/server/src/db/tables/team.ts', 'export const team = 1;');
  expect(problems()).toEqual([
    'apps/server/src/teams/add.ts: its folder is on no floor of layers.json; place it.',
  ]);
  rmSync(path.join(folder, 'apps/server/src/teams'), { recursive: true });
});

test('what the table lists in vain is told', () => {
  const lists = {
    ...server,
    floors: [...server.floors, 'gone'],
    siblings: { 'src/features/user': ['session'] },
  };
  changed('layers.json', JSON.stringify({ 'apps/server': lists, 'packages/network': { floors: ['src'] } }));
  expect(problems()).toEqual([
    'apps/server/src/features/session/end.ts: may not import ../user/long.ts: src/features/session does not list its sibling user.',
    'layers.json lists apps/server/gone, which does not exist.',
    'layers.json lets apps/server/src/features/user import session, which it does not.',
  ]);
});

test('in a divided folder a room may import those listed before it', () => {
  const divided = (rooms: string): string =>
    JSON.stringify({
      'apps/server': { ...server, rooms: { 'src/features/user': rooms } },
      'packages/network': { floors: ['src'] },
    });
  const short = 'apps/server/src/features/user/names/short.ts';
  changed('layers.json', divided('. names'));
  expect(problems()).toEqual([]);
  const above = 'may not import ../long.ts: it is in a room of src/features/user above.';
  changed('layers.json', divided('names'));
  expect(problems()).toEqual([`${short}: ${above}`]);
  changed('layers.json', divided('long.ts names'));
  expect(problems()).toEqual([]);
  changed('layers.json', divided('names/short.ts .'));
  expect(problems()).toEqual([`${short}: ${above}`]);
  changed('layers.json', divided('. gone'));
  expect(problems()).toEqual([
    `${short}: may not import ../long.ts: the rooms of src/features/user do not list the folder of ${short}.`,
    'layers.json lists apps/server/src/features/user/gone, which does not exist.',
  ]);
});
