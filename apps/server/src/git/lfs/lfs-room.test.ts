import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LfsRoom } from './lfs-room.ts';

const BLOCK = 4_096;
let gitDir: string;

beforeEach(() => {
  gitDir = mkdtempSync(join(tmpdir(), 'cannery-lfs-room-'));
  mkdirSync(join(gitDir, 'lfs'));
  writeFileSync(join(gitDir, 'lfs', `${'a'.repeat(64)}-5000`), 'a');
  writeFileSync(join(gitDir, 'lfs', 'something else'), 'b');
});
afterEach(() => rmSync(gitDir, { recursive: true }));

test('objects take whole blocks, those under way from the moment when room is set aside', async () => {
  const room = new LfsRoom();
  expect(await room.about(gitDir)).toBe(2 * BLOCK);
  const [first, second] = [await room.setAside(gitDir, BLOCK), await room.setAside(gitDir, 3 * BLOCK)];
  expect(await room.inTurn(gitDir)).toBe(6 * BLOCK);
  first.end(true);
  second.end(false);
  // Only the first time counts.
  second.end(true);
  expect(await room.inTurn(gitDir)).toBe(3 * BLOCK);
  expect(await room.about(join(gitDir, 'none'))).toBe(0);
});

test('a repository that goes ends what is under way for it, which counts nowhere any more', async () => {
  const room = new LfsRoom();
  const aside = await room.setAside(gitDir, BLOCK);
  aside.check();
  room.forget(gitDir);
  expect(aside.signal.aborted).toBe(true);
  expect(() => aside.check()).toThrow('The repository has been deleted or renamed meanwhile.');
  expect(await room.inTurn(gitDir)).toBe(2 * BLOCK);
  const next = await room.setAside(gitDir, BLOCK);
  next.check();
  aside.end(true);
  expect(await room.inTurn(gitDir)).toBe(3 * BLOCK);
});

test('a repository has a number of objects, those under way included', async () => {
  const room = new LfsRoom(3);
  const refused = { code: 'quota_reached', message: expect.stringContaining('3 files of Git LFS') };
  const [kept, given] = [await room.setAside(gitDir, BLOCK), await room.setAside(gitDir, BLOCK)];
  await expect(room.setAside(gitDir, BLOCK)).rejects.toMatchObject(refused);
  given.end(false);
  kept.end(true);
  (await room.setAside(gitDir, BLOCK)).end(true);
  await expect(room.setAside(gitDir, BLOCK)).rejects.toMatchObject(refused);
  expect(await room.inTurn(gitDir)).toBe(4 * BLOCK);
});
