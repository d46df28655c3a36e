import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PAGE_BYTES } from './files/batch.ts';
import { DurableStore } from './durable-store.ts';
import { StoreDamagedError } from './files/errors.ts';
import { storePaths } from './files/layout.ts';
import { fileBytes } from './pages/page-layout.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { writeBackup } from './backup/write-backup.ts';

/** 500 GiB of pages, and one that is not zeros at the end, in the middle and at the start. */
const PAGES = (500 * 1024 ** 3) / PAGE_BYTES;
/** Damage is seen in a file of this number of pages as in one of 500 GiB, and in no time. */
const FEW_PAGES = 1024;
const written = (pages: number): number[] => [0, pages / 2, pages - 1];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-large-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const within = (name: string): string => join(folder, name);

/** Logical size and room on the disk of each page file, in bytes. */
const filesOf = (directory: string): { size: number; taken: number }[] =>
  readdirSync(storePaths.pages(directory)).map((name) => {
    const { size, blocks } = statSync(join(storePaths.pages(directory), name));
    return { size, taken: blocks * 512 };
  });

async function fill(directory: string, pages: number): Promise<void> {
  const store = DurableStore.open(directory);
  store.commit({
    copySpaces: [],
    dropSpaces: [],
    sizes: [{ space: 'large', pages }],
    pages: written(pages).map((index) => ({
      space: 'large',
      index,
      bytes: new Uint8Array(PAGE_BYTES).fill(7),
    })),
    deletes: [],
    puts: [],
  });
  await store.close();
}

test('a backup of 500 GiB of zeros, and what is restored from it, are as small as they', {
  timeout: 60_000,
}, async () => {
  await fill(within('data'), PAGES);
  writeBackup(within('data'), within('backup'));
  restoreBackup(within('backup'), within('restored'));
  for (const name of ['data', 'backup', 'restored']) {
    const [file, ...others] = filesOf(within(name));
    expect(others).toEqual([]);
    expect(file?.size, name).toBe(fileBytes(PAGES));
    expect(file?.taken, name).toBeLessThan(100_000);
  }
  const store = DurableStore.open(within('restored'));
  const found: number[] = [];
  store.readSpace('large', (index, page) => {
    expect(page.every((byte) => byte === 7)).toBe(true);
    found.push(index);
  });
  await store.close();
  expect(found).toEqual(written(PAGES));
});

test.each([
  ['within the last page', fileBytes(FEW_PAGES) - 1],
  ['before the last page', fileBytes(FEW_PAGES - 1)],
  ['after the first', fileBytes(1)],
])('a backup of a page file that was cut off %s is damaged, as the file is', async (_, size) => {
  await fill(within('data'), FEW_PAGES);
  const [name = ''] = readdirSync(storePaths.pages(within('data')));
  truncateSync(join(storePaths.pages(within('data')), name), size);
  writeBackup(within('data'), within('backup'));
  expect(() => restoreBackup(within('backup'), within('restored'))).toThrow(StoreDamagedError);
});
