import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('check-readers.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cannery-readers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** What the check says about the project in the folder, a line for each problem. */
function problems(rows: Record<string, unknown>): string[] {
  put('readers.json', JSON.stringify(rows));
  execFileSync('git', ['add', '-A'], { cwd: folder });
  const { stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return stderr.split('\n').filter((line) => line !== '');
}

const SETTINGS = 'apps/server/src/settings.ts';
const OTHER = 'apps/server/src/other.ts';

execFileSync('git', ['init', '-q'], { cwd: folder });
put(SETTINGS, 'export const read = (text: string): unknown => JSON.parse(text);');
put(
  'apps/server/test/settings.test.ts',
  "import { expectLinear } from '../expect-linear.ts'; const rows = [{ name: 'settings of a project' }];",
);
put('apps/server/test/other.test.ts', "const rows = ['nothing such'];");

test('a reader with the row of a doubling test, or a reason why it is ours, passes', () => {
  expect(problems({ [SETTINGS]: { reads: 'settings', doubled: 'settings of a project' } })).toEqual([]);
  expect(problems({ [SETTINGS]: { reads: 'settings', own: 'the server writes it' } })).toEqual([]);
});

test.each([
  ['JSON', 'JSON.parse(text)'],
  ['Candid', 'IDL.decode([], bytes)'],
  ['CBOR', 'decodeCbor(bytes)'],
  ['packed bytes', 'gunzipSync(bytes)'],
  ['packed bytes in pieces', 'createGunzip()'],
  ['expressions', 'new RegExp(text)'],
  ['all matches', 'text.matchAll(EXPRESSION)'],
  ['bytes as text', 'new TextDecoder()'],
])('a new reader of %s without a row is refused', (_, call) => {
  put(OTHER, `export const read = (text, bytes) => ${call};`);
  expect(problems({ [SETTINGS]: { reads: 'settings', own: 'the server writes it' } })).toEqual([
    expect.stringContaining(OTHER),
  ]);
  rmSync(path.join(folder, OTHER));
});

test('what a comment names is no reader', () => {
  put(OTHER, '/** Not JSON.parse(). */\n// IDL.decode() would do more.\nexport const one = 1;');
  expect(problems({ [SETTINGS]: { reads: 'settings', own: 'the server writes it' } })).toEqual([]);
  rmSync(path.join(folder, OTHER));
});

test('a row needs its doubling test or its reason, and a file that is there', () => {
  expect(problems({ [SETTINGS]: { reads: 'settings' } })).toEqual([
    expect.stringContaining("'doubled' or 'own'"),
  ]);
  expect(problems({ [SETTINGS]: { reads: 'settings', doubled: 'nothing such' } })).toEqual([
    expect.stringContaining("no doubling test has a row 'nothing such'"),
  ]);
  const gone = { [SETTINGS]: { reads: 'settings', own: 'ours' }, [OTHER]: { reads: 'nothing', own: 'ours' } };
  expect(problems(gone)).toEqual([expect.stringContaining('which does not exist')]);
});
