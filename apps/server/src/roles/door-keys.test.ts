import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { InternalTokens, internalToken } from '../git/remote/internal-token.ts';
import { newKey, replaceKeys, textOfKeys } from '../keyring/key-file.ts';
import { Keyring } from '../keyring/keyring.ts';
import { doorKey, doorKeysOf } from './door-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-door-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = {
  kind: 'once',
  method: 'POST',
  path: '/internal/git/call',
  body: 'x',
  user: 'ada',
  folder: 'f',
} as const;

test('tokens of one process open at another one before, while and after the key is changed', async () => {
  const path = join(folder, 'keys');
  const [first, second] = [newKey(), newKey()];
  writeFileSync(path, textOfKeys({ current: first, next: undefined, old: [] }));
  const open = async () => doorKeysOf(await Keyring.open({ dataDir: '/nowhere', secretsKeyFile: path }));
  const [api, git] = [await open(), await open()];
  const opens = (signing: Buffer, keys = git) =>
    new InternalTokens(keys).claimsOf(internalToken(signing, asked), asked) !== undefined;
  expect(opens(api.signing())).toBe(true);
  expect(opens(doorKey(second))).toBe(false);
  await replaceKeys(path, { current: first, next: second, old: [] });
  expect([api.signing(), opens(doorKey(second))]).toEqual([doorKey(first), true]);
  await replaceKeys(path, { current: second, next: undefined, old: [first] });
  expect([api.signing(), opens(api.signing()), opens(doorKey(first))]).toEqual([doorKey(second), true, true]);
  await replaceKeys(path, { current: second, next: undefined, old: [] });
  const later = await open();
  expect([opens(api.signing(), later), opens(doorKey(first), later)]).toEqual([true, false]);
});
