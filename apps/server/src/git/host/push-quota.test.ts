import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BareRepository } from '../repository/repository-folder.ts';
import { PushQuota } from './push-quota.ts';

const BYTES = 10_000;
let root: string;
let quota: PushQuota;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cannery-quota-'));
  const limits = { repositories: 9, repositoryBytes: 9_000, bytes: BYTES, refs: 9, pushesPerMinute: 9 };
  quota = new PushQuota(root, limits);
});
afterEach(() => rmSync(root, { recursive: true }));

/** A repository whose packs have that many bytes. */
function repositoryOf(name: string, bytes: number): BareRepository {
  const gitDir = join(root, 'ada', `${name}.git`);
  mkdirSync(join(gitDir, 'objects/pack'), { recursive: true });
  writeFileSync(join(gitDir, 'objects/pack/one.pack'), new Uint8Array(bytes));
  return { owner: 'ada', name, gitDir };
}

/** What a push may bring; it brings `brought` in all. */
async function roomOfPush(repository: BareRepository, brought: number): Promise<number> {
  const turn = await quota.enter('ada');
  try {
    const room = await turn.roomFor(repository);
    repositoryOf(repository.name, brought);
    return room;
  } finally {
    turn.end();
  }
}

test('what each push has brought counts for the next one, whichever repository it goes to', async () => {
  const [notes, site, other] = [
    repositoryOf('notes', 0),
    repositoryOf('site', 500),
    repositoryOf('other', 500),
  ];
  expect(await roomOfPush(notes, 3_000)).toBe(9_000);
  expect(await roomOfPush(site, 4_000)).toBe(BYTES - 4_000);
  expect(await roomOfPush(notes, 5_500)).toBe(BYTES - 7_500);
  await expect(roomOfPush(other, 0)).rejects.toThrow(/^Your repositories have reached/);
  await expect(quota.warn(site)).rejects.toThrow(/^Your repositories have reached/);
});

test('what git packs, and what is removed, gives room back at once', async () => {
  const [notes, site] = [repositoryOf('notes', 5_000), repositoryOf('site', 5_000)];
  await expect(roomOfPush(site, 0)).rejects.toThrow(/^Your repositories have reached/);
  repositoryOf('notes', 1_000);
  expect(await roomOfPush(site, 5_000)).toBe(BYTES - 6_000);
  rmSync(notes.gitDir, { recursive: true });
  expect(await roomOfPush(site, 5_000)).toBe(9_000 - 5_000);
});
