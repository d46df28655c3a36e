import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('check-decoders.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cannery-decoders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
execFileSync('git', ['init', '-q'], { cwd: folder });

/** What the check says of one file. */
function problem(file: string, text: string): string {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  const { stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  rmSync(path.join(folder, file));
  return stderr;
}

const PRODUCT = 'apps/server/src/features/canister/read.ts';

test.each([
  ['the decoder', 'IDL.decode([IDL.Nat], reply)'],
  ['the decoder over two lines', 'IDL\n  .decode([IDL.Nat], reply)'],
  ['the decoder by its name', "IDL['decode']([IDL.Nat], reply)"],
  ['the decoder taken out', 'const { decode } = IDL;'],
  ['the library under another name', "import { IDL as Types } from '@icp-sdk/core/candid';"],
  ['the whole library', "import * as candid from '@icp-sdk/core/candid';"],
  ['the decoder of CBOR', 'Cbor.decode(answer)'],
  ['certificates', 'await Certificate.create({ certificate })'],
  ['a check before a decoder elsewhere', 'checkEncoded(reply, types);'],
])('%s is refused', (_what, text) => {
  expect(problem(PRODUCT, text)).toContain(PRODUCT);
});

test.each([
  [
    'what has a budget',
    PRODUCT,
    'decodeEncoded(reply, [IDL.Nat]); readSmall(IDL.Nat, reply); IDL.encode([], []);',
  ],
  ['a comment', PRODUCT, '// IDL.decode has no budget.\n/** Nor has Cbor.decode. */'],
  ['a test', 'apps/server/src/ic/read.test.ts', 'IDL.decode([IDL.Nat], reply)'],
  [
    'the one place',
    'packages/candid/src/decode-encoded.ts',
    'checkEncoded(a, b); IDL.decode([IDL.Nat], reply)',
  ],
])('%s is allowed', (_what, file, text) => {
  expect(problem(file, text)).toBe('');
});
