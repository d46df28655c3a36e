import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compilationKey, keepCompilation, recallCompilation } from './kept-modules.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const module = {
  wasm: Uint8Array.of(0, 97, 115, 109),
  candid: 'service : { ä : () -> () }',
  stableTypes: null,
};
const KEY = 'a'.repeat(64);

test('a module comes back as it was kept, with what was said', async () => {
  await keepCompilation(folder, KEY, module, ['one', 'two\u0000']);
  expect(await recallCompilation(folder, KEY)).toEqual({
    module,
    notes: ['one', 'two\u0000'],
    compiledAt: expect.any(Date),
  });
  expect(readdirSync(folder)).toEqual([KEY]);
  expect(await recallCompilation(folder, 'b'.repeat(64))).toBeUndefined();
});

test('one that is damaged is not used, at whatever place, and is gone', async () => {
  await keepCompilation(folder, KEY, module, ['a note']);
  const whole = readFileSync(join(folder, KEY));
  for (let place = 0; place < whole.length; place += 1) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place);
    writeFileSync(join(folder, KEY), damaged);
    expect(await recallCompilation(folder, KEY), `byte ${place}`).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  }
  for (const length of [0, 10, 31, 32, whole.length - 1]) {
    writeFileSync(join(folder, KEY), whole.subarray(0, length));
    expect(await recallCompilation(folder, KEY), `${length} bytes`).toBeUndefined();
  }
});

test('a folder that cannot be written to costs nothing but the time of the next compilation', async () => {
  writeFileSync(join(folder, 'file'), '');
  const nowhere = join(folder, 'file', 'kept');
  await expect(keepCompilation(nowhere, KEY, module, [])).resolves.toBeUndefined();
  expect(await recallCompilation(nowhere, KEY)).toBeUndefined();
});

test('the key tells apart what differs in any part, and in where one text ends and the next begins', () => {
  const sources = (...entries: [string, string][]): ReadonlyMap<string, string> => new Map(entries);
  const keys = [
    compilationKey({ main: 'a' }, sources(['a', 'x'], ['b', 'y'])),
    compilationKey({ main: 'b' }, sources(['a', 'x'], ['b', 'y'])),
    compilationKey({ main: 'a' }, sources(['a', 'xb'], ['', 'y'])),
    compilationKey({ main: 'a' }, sources(['a', 'x'], ['by', ''])),
    compilationKey({ main: 'a' }, sources(['a', 'y'], ['b', 'x'])),
    compilationKey({ main: 'a' }, sources(['a', 'x'])),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(compilationKey({ main: 'a' }, sources(['b', 'y'], ['a', 'x']))).toBe(keys[0]);
});
