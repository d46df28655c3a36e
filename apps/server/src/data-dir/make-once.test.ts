import { link, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDrafts, makeOnce } from './make-once.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-once-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a file has when it is looked at; undefined where there is none. */
const contentOf = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

test('of several that make a file at once one does, and nobody sees a part of it', async () => {
  const texts = [1, 2, 3, 4].map((n) => String(n).repeat(100_000));
  for (let round = 0; round < 25; round += 1) {
    const path = join(folder, `round-${round}`);
    let isDone = false;
    const seen = new Set<string | undefined>();
    const look = async (): Promise<void> => {
      while (!isDone) seen.add(await contentOf(path));
    };
    const looking = look();
    const made = await Promise.all(texts.map((text) => makeOnce(path, text)));
    isDone = true;
    await looking;
    expect(made.filter(Boolean)).toHaveLength(1);
    const kept = texts[made.indexOf(true)];
    expect(await contentOf(path)).toBe(kept);
    for (const content of seen) expect([undefined, kept]).toContain(content);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
  expect((await readdir(folder)).filter((name) => !/^round-\d+$/.test(name))).toEqual([]);
});

test('a file that cannot be made leaves nothing', async () => {
  await expect(makeOnce(join(folder, 'none', 'file'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
  const path = join(folder, 'taken');
  expect(await makeOnce(path, 'first')).toBe(true);
  expect(await makeOnce(path, 'second')).toBe(false);
  expect(await contentOf(path)).toBe('first');
});

test('what a killed process has left of a file is removed, and nothing else', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  await makeOnce(join(data, 'secrets.key'), 'key');
  await link(join(data, 'secrets.key'), join(data, `secrets.key.draft-${crypto.randomUUID()}`));
  await mkdir(join(data, 'my.draft-of-a-site'));
  await clearDrafts(data);
  expect((await readdir(data)).toSorted()).toEqual(['my.draft-of-a-site', 'secrets.key']);
});
