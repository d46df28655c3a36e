import { createCipheriv, randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StartError } from '../errors.ts';
import { SealError, sealingOf } from '../sealing.ts';
import { keysIn, newKey, replaceKeys, textOfKeys } from './key-file.ts';
import { idOfKey, Keyring } from './keyring.ts';
import { createSealing, headerOf, openBy, sealBy } from './sealed-texts.ts';

const root = mkdtempSync(join(tmpdir(), 'cannery-keyring-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(root, 'folder-'));
const ringOf = (path: string) => Keyring.open({ dataDir: '/nowhere', secretsKeyFile: path });

describe('the file of keys', () => {
  test('the key is made once for a data folder, or read from the file that the operator names', async () => {
    const folder = newFolder();
    const sealed = createSealing(await Keyring.open({ dataDir: folder })).sealForNow('text', 'place');
    expect(createSealing(await Keyring.open({ dataDir: folder })).open(sealed, 'place')).toBe('text');
    const made = join(folder, 'secrets.key');
    expect(statSync(made).mode & 0o777).toBe(0o600);
    expect(readFileSync(made, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    const other = join(folder, 'other.key');
    writeFileSync(other, readFileSync(made, 'utf8').trim().toUpperCase());
    expect(createSealing(await ringOf(other)).open(sealed, 'place')).toBe('text');
    writeFileSync(other, 'short');
    await expect(ringOf(other)).rejects.toThrow(StartError);
    await expect(ringOf(join(folder, 'absent'))).rejects.toThrow('SECRETS_KEY_FILE');
  });

  test('has one key that seals, at most one that will, and those that only open', () => {
    const [current, next, one, two] = [newKey(), newKey(), newKey(), newKey()];
    const keys = { current, next, old: [one, two] };
    expect(keysIn(textOfKeys(keys))).toEqual(keys);
    expect(keysIn(` ${current.toString('hex')} \r\n\n`)).toEqual({ current, next: undefined, old: [] });
    const hex = current.toString('hex');
    for (const text of [
      '',
      `${hex} next`,
      `${hex}\n${hex}`,
      `${hex}\n${hex} next\n${hex} next`,
      `${hex} young`,
      `${hex}0`,
    ])
      expect(keysIn(text), text).toBeUndefined();
    expect(keysIn(`${hex}\n${`${hex} old\n`.repeat(64)}`)).toBeUndefined();
  });

  test('is replaced whole: rights and links stay, and what a killed rotation left goes', async () => {
    const folder = newFolder();
    const path = join(folder, 'keys');
    const link = join(folder, 'link');
    writeFileSync(path, textOfKeys({ current: newKey(), next: undefined, old: [] }));
    chmodSync(path, 0o644);
    symlinkSync(path, link);
    writeFileSync(`${path}.new`, 'half');
    const keys = { current: newKey(), next: newKey(), old: [newKey()] };
    await replaceKeys(link, keys);
    expect(keysIn(readFileSync(link, 'utf8'))).toEqual(keys);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    // Others than owner and group had no business with it.
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).toSorted()).toEqual(['keys', 'link']);
    await expect(replaceKeys(join(folder, 'absent'), keys)).rejects.toThrow(StartError);
  });

  test('a process that runs learns new keys from it, and forgets none', async () => {
    const path = join(newFolder(), 'keys');
    const [first, second] = [newKey(), newKey()];
    writeFileSync(path, textOfKeys({ current: first, next: undefined, old: [] }));
    const keyring = await ringOf(path);
    const sealing = createSealing(keyring);
    const before = sealing.sealForNow('text', 'place');
    await replaceKeys(path, { current: second, next: undefined, old: [first] });
    expect(sealing.open(sealBy(second, 'other', 'place'), 'place')).toBe('other');
    expect(sealing.sealForNow('text', 'place').subarray(0, 12)).toEqual(headerOf(second));
    await replaceKeys(path, { current: second, next: undefined, old: [] });
    expect(keyring.keys().old).toEqual([]);
    expect(sealing.open(before, 'place')).toBe('text');
    // Damaged for a moment, or away.
    writeFileSync(path, 'half');
    expect(keyring.keys().current).toEqual(second);
    rmSync(path);
    expect(keyring.keys().current).toEqual(second);
    expect(keyring.find(idOfKey(newKey()))).toBeUndefined();
  });
});

describe('a sealed text', () => {
  const [key, other] = [newKey(), newKey()];
  const ring = (...keys: Buffer[]) => ({
    find: (id: string) => keys.find((one) => idOfKey(one) === id),
    all: () => keys,
  });

  test('names its key and how it is sealed, and opens unchanged at its place only', () => {
    const sealed = sealBy(key, 'a secret', 'deploy 1 TOKEN');
    expect(sealed.subarray(0, 12)).toEqual(
      Buffer.concat([Buffer.from('cnr\x01'), Buffer.from(idOfKey(key), 'hex')]),
    );
    expect(openBy(ring(other, key), sealed, 'deploy 1 TOKEN')).toBe('a secret');
    expect(sealed.includes(key.subarray(0, 8))).toBe(false);
    expect(() => openBy(ring(key), sealed, 'deploy 2 TOKEN')).toThrow(SealError);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openBy(ring(key, other), changed, 'deploy 1 TOKEN'), `byte ${at}`).toThrow(SealError);
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => openBy(ring(key), sealed.subarray(0, length), 'deploy 1 TOKEN')).toThrow(SealError);
  });

  test('that names no key, as it was before, opens with whichever key it is of', () => {
    const sealed = sealingOf(key).seal('a secret', 'place');
    expect(openBy(ring(other, key), sealed, 'place')).toBe('a secret');
    expect(() => openBy(ring(other), sealed, 'place')).toThrow(SealError);
    // One of them in 2^32 begins like a text that names one.
    const nonce = Buffer.concat([Buffer.from('cnr\x01'), randomBytes(8)]);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    cipher.setAAD(Buffer.from('place'));
    const content = Buffer.concat([cipher.update('by chance', 'utf8'), cipher.final()]);
    const chance = Buffer.concat([nonce, cipher.getAuthTag(), content]);
    expect(openBy(ring(other, key), chance, 'place')).toBe('by chance');
  });

  test('of an unknown key is refused by the name of the key', () => {
    const sealed = sealBy(key, 'a secret', 'place');
    expect(() => openBy(ring(other), sealed, 'place')).toThrow(
      `A sealed text names the key ${idOfKey(key)}, which this server does not have.`,
    );
  });
});
