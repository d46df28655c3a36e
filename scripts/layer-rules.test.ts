import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from './layer-rules.ts';

const script = fileURLToPath(new URL('check-layers.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cannery-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** What the check says about the project in the folder, a line for each problem. */
function problems(): string[] {
  const { stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  return stderr.split('\n').filter((line) => line !== '');
}

const BUILD = 'apps/server/src/builders';
const BLOBS = 'apps/server/src/blobs';
const CHECKED = 'packages/candid/src/wire/decode-encoded.ts';
/** Files of the small project that may do what a rule refuses, by a part of its text. */
const MAY: Readonly<Record<string, string>> = {
  'on disk': `${BUILD}/mount.ts`,
  'all tenants': `${BUILD}/mount.ts`,
  'opens paths': `${BUILD}/own.ts`,
  'without a budget': CHECKED,
  'decode it elsewhere': CHECKED,
};
const OWN = "import { readFile } from 'node:fs/promises';";

beforeAll(() => {
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const table = new URL('../layers.json', import.meta.url);
  const { rules } = JSON.parse(readFileSync(table, 'utf8')) as { rules: readonly Rule[] };
  const small = rules.map((rule) => {
    const [, file] = Object.entries(MAY).find(([part]) => rule.rule.includes(part)) ?? [];
    return { ...rule, may: file === undefined ? {} : { [file]: 'the one place' } };
  });
  const floors = { floors: ['src'] };
  put('layers.json', JSON.stringify({ 'apps/server': floors, 'packages/candid': floors, rules: small }));
  put('apps/server/package.json', JSON.stringify({ name: '@x/server' }));
  put('packages/candid/package.json', JSON.stringify({ name: '@x/candid' }));
  put(
    `${BUILD}/mount.ts`,
    "import { diskOf } from './tenant/disk-of.ts';\nexport const all = machine.tenantsFolder;",
  );
  put(`${BUILD}/own.ts`, OWN);
  put(`${BUILD}/own.test.ts`, `${OWN}\nimport './tenant/disk-of.ts';`);
  put(`${BLOBS}/put.ts`, OWN);
  put(CHECKED, 'checkEncoded(a, b); IDL.decode([IDL.Nat], reply)');
});

test('[R7] what is named may, and so may tests and code that is not bound', () => {
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
  ['the decoder', 'IDL.decode([IDL.Nat], reply)', 'without a budget'],
  ['the decoder over two lines', 'IDL\n  .decode([IDL.Nat], reply)', 'without a budget'],
  ['the decoder by its name', "IDL['decode']([IDL.Nat], reply)", 'without a budget'],
  ['the decoder taken out', 'const { decode } = IDL;', 'without a budget'],
  [
    'the library under another name',
    "import { IDL as Types } from '@icp-sdk/core/candid';",
    'without a budget',
  ],
  ['the whole library', "import * as candid from '@icp-sdk/core/candid';", 'without a budget'],
  ['the decoder of CBOR', 'Cbor.decode(answer)', 'without a budget'],
  ['certificates', 'await Certificate.create({ certificate })', 'without a budget'],
  ['a check before a decoder elsewhere', 'checkEncoded(reply, types);', 'decode it elsewhere'],
])('[R7] product code outside the one place that uses %s is refused', (_what, text, says) => {
  put(`${BUILD}/deeper/new.ts`, text);
  expect(problems()).toEqual([expect.stringMatching(`^${BUILD}/deeper/new.ts: .*${says}`)]);
  rmSync(path.join(folder, BUILD, 'deeper'), { recursive: true });
});

test.each([
  ['what has a budget', 'decodeEncoded(reply, [IDL.Nat]); readSmall(IDL.Nat, reply); IDL.encode([], []);'],
  ['a comment', '// IDL.decode has no budget.\n/** Nor has Cbor.decode, and tenantsFolder is no text. */'],
])('%s is allowed', (_what, text) => {
  put(`${BUILD}/deeper/new.ts`, text);
  expect(problems()).toEqual([]);
  rmSync(path.join(folder, BUILD, 'deeper'), { recursive: true });
});

test('a file that does nothing of the kind any more loses its place in the table', () => {
  put(`${BUILD}/own.ts`, 'export const nothing = 1;');
  expect(problems()).toEqual([expect.stringContaining(`lets ${BUILD}/own.ts do in vain`)]);
  put(`${BUILD}/own.ts`, OWN);
});
