import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SealError, sealingOf } from './sealing.ts';

test('a sealed text opens with its key, at its place, unchanged, and never shows', () => {
  const key = randomBytes(32);
  const sealing = sealingOf(key);
  const text = 'a secret with ünïcode\nand two lines';
  const sealed = sealing.seal(text, 'deploy 1 TOKEN');
  expect(sealing.open(sealed, 'deploy 1 TOKEN')).toBe(text);
  expect(sealing.open(sealing.seal('', 'x'), 'x')).toBe('');
  expect(sealed.toString('latin1')).not.toContain('secret');
  // The same text is sealed differently each time.
  expect(sealing.seal(text, 'deploy 1 TOKEN').equals(sealed)).toBe(false);
  expect(() => sealing.open(sealed, 'deploy 2 TOKEN')).toThrow(SealError);
  expect(() => sealingOf(randomBytes(32)).open(sealed, 'deploy 1 TOKEN')).toThrow(SealError);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => sealing.open(changed, 'deploy 1 TOKEN'), `byte ${at}`).toThrow(SealError);
  }
  for (const short of [0, 1, 11, 12, 27]) {
    expect(() => sealing.open(sealed.subarray(0, short), 'deploy 1 TOKEN'), `${short} bytes`).toThrow(
      SealError,
    );
  }
});
