import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Batch, PAGE_BYTES } from '../files/batch.ts';
import { CheckpointIndex } from './checkpoint-index.ts';
import { DurableStore } from '../durable-store.ts';
import { StoreDamagedError } from '../files/errors.ts';

// They wait for the disk, which others may keep busy.
vi.setConfig({ testTimeout: 30_000 });

let directory = '';
let store: DurableStore;

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'cannery-spaces-'));
  directory = made;
  store = DurableStore.open(directory);
  return async () => {
    await store.close();
    rmSync(made, { recursive: true });
  };
});

function commit(part: Partial<Batch>): void {
  store.commit({ dropSpaces: [], sizes: [], pages: [], deletes: [], puts: [], ...part });
}

function write(space: string, value: number, ...indices: readonly number[]): void {
  commit({
    pages: indices.map((index) => ({ space, index, bytes: new Uint8Array(PAGE_BYTES).fill(value) })),
  });
}

/** The byte that fills each page. */
function content(space: string, count = store.spaceSize(space)): number[] {
  const bytes = store.readPages(space, 0, count);
  const scanned = new Map<number, number>();
  store.readSpace(space, (index, page) => scanned.set(index, page[7] ?? -1));
  const read = Array.from({ length: count }, (_, index) => bytes[index * PAGE_BYTES + 7] ?? -1);
  expect(Array.from({ length: count }, (_, index) => scanned.get(index) ?? 0)).toEqual(read);
  return read;
}

async function reopen(): Promise<void> {
  await store.close();
  store = DurableStore.open(directory);
}

const pageFiles = (): string[] => readdirSync(join(directory, 'pages'));

describe('a copy of a space', () => {
  test.each(['log', 'file'])(
    'is whole where the same commit drops the original (content in the %s)',
    async (place) => {
      write('a', 1, 0, 1);
      if (place === 'file') await store.checkpoint();
      commit({ copySpaces: [{ from: 'a', to: 'b' }], dropSpaces: ['a'] });
      for (const _round of ['now', 'after a checkpoint']) {
        expect(content('b')).toEqual([1, 1]);
        expect(store.spaceSize('a')).toBe(0);
        await reopen();
      }
    },
  );

  test.each(['log', 'file'])(
    'is what the original was, and each changes alone (content in the %s)',
    async (place) => {
      write('a', 1, 0, 1, 2);
      if (place === 'file') await store.checkpoint();
      commit({
        copySpaces: [{ from: 'a', to: 'b' }],
        pages: [{ space: 'a', index: 1, bytes: new Uint8Array(PAGE_BYTES).fill(2) }],
      });
      write('b', 3, 2, 4);
      const expected = (): void => {
        expect(content('a')).toEqual([1, 2, 1]);
        expect(content('b')).toEqual([1, 1, 3, 0, 3]);
      };
      expected();
      await store.checkpoint();
      expected();
      write('a', 4, 0);
      commit({ sizes: [{ space: 'b', pages: 2 }] });
      await reopen();
      expect(content('a')).toEqual([4, 2, 1]);
      expect(content('b', 5)).toEqual([1, 1, 0, 0, 0]);
    },
  );

  test('shares the file until one of them changes, and keeps it when the original goes', async () => {
    write('a', 1, 0, 600);
    await store.checkpoint();
    commit({
      copySpaces: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
      ],
    });
    await store.checkpoint();
    expect(pageFiles()).toHaveLength(1);
    commit({ dropSpaces: ['a'] });
    write('c', 5, 0);
    await store.checkpoint();
    expect(pageFiles()).toHaveLength(2);
    await reopen();
    expect(store.spaceSize('a')).toBe(0);
    expect(content('b').filter((value) => value !== 0)).toEqual([1, 1]);
    expect(content('c').filter((value) => value !== 0)).toEqual([5, 1]);
    commit({ dropSpaces: ['b', 'c'] });
    await store.checkpoint();
    expect(pageFiles()).toHaveLength(0);
  });

  test('replaces what had its name; one of nothing is nothing', () => {
    write('a', 1, 0);
    write('b', 2, 0, 1);
    commit({ copySpaces: [{ from: 'a', to: 'b' }] });
    expect(content('b')).toEqual([1]);
    commit({ copySpaces: [{ from: 'none', to: 'b' }] });
    expect(store.spaceSize('b')).toBe(0);
  });

  test('made while a checkpoint is written shows the same before and after it', async () => {
    // Large enough for a separate thread.
    write('a', 1, ...Array.from({ length: 1_000 }, (_, index) => index));
    const writing = store.checkpoint();
    await new Promise((resolve) => setTimeout(resolve, 20));
    commit({ copySpaces: [{ from: 'a', to: 'b' }] });
    write('a', 2, 3);
    write('b', 3, 4);
    commit({ sizes: [{ space: 'b', pages: 10 }] });
    const expected = (): void => {
      expect(content('a', 6)).toEqual([1, 1, 1, 2, 1, 1]);
      expect(content('b', 12)).toEqual([1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 0, 0]);
    };
    expected();
    await writing;
    expected();
    await store.checkpoint();
    expected();
    await reopen();
    expected();
  });
});

test('commits and reads go on while a checkpoint is written', async () => {
  for (let index = 0; index < 20; index++)
    write('a', index + 1, ...Array.from({ length: 400 }, (_, page) => page));
  commit({ puts: [['key', new Uint8Array(2_000).fill(1)]] });
  let isOver = false;
  const writing = store.checkpoint().then(() => {
    isOver = true;
  });
  let rounds = 0;
  while (!isOver) {
    write('a', 100 + (rounds % 50), 7);
    commit({ puts: [['other', Uint8Array.of(rounds % 256)]] });
    expect(content('a', 9)).toEqual([20, 20, 20, 20, 20, 20, 20, 100 + (rounds % 50), 20]);
    expect(store.get('key')).toEqual(new Uint8Array(2_000).fill(1));
    expect([...store.keys('')]).toEqual(['key', 'other']);
    expect(store.get('other')).toEqual(Uint8Array.of(rounds % 256));
    rounds += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  expect(rounds).toBeGreaterThan(2);
  await reopen();
  expect(content('a', 9)[7]).toBe(100 + ((rounds - 1) % 50));
});

describe('damage', () => {
  function flip(path: string, at: number): void {
    const bytes = readFileSync(path);
    bytes[at] = (bytes[at] ?? 0) ^ 0x04;
    writeFileSync(path, bytes);
  }

  test('of a page or its check value is found when it is read, and the file is named', async () => {
    write('a', 1, 0, 3, 513);
    await store.checkpoint();
    const [name = ''] = pageFiles();
    const path = join(directory, 'pages', name);
    // A check value, its complement, the first byte and a middle one of pages 0 and 513.
    for (const at of [0, 5, 4_096, 6_000, 3 * 8, 513 * 4_096, 515 * 4_096 + 9]) {
      flip(path, at);
      expect(() => store.readSpace('a', () => undefined)).toThrow(StoreDamagedError);
      expect(() => store.readPages('a', 0, 514)).toThrow(path);
      flip(path, at);
    }
    expect(content('a', 4)).toEqual([1, 0, 0, 1]);
  });

  test('of a blob is found when it is read', () => {
    const hash = store.putBlob(Uint8Array.of(1, 2, 3));
    flip(join(directory, 'blobs', hash), 1);
    expect(() => store.getBlob(hash)).toThrow(StoreDamagedError);
  });

  test('of what is only derived counts as absent', async () => {
    const hash = store.putBlob(Uint8Array.of(1, 2, 3));
    store.putDerived(hash, 'v1', Uint8Array.of(4, 5));
    await expect.poll(() => store.getDerived(hash, 'v1')).toEqual(Buffer.from([4, 5]));
    expect(store.getDerived(hash, 'v2')).toBeUndefined();
    const [name = ''] = readdirSync(join(directory, 'derived'));
    flip(join(directory, 'derived', name), 4);
    expect(store.getDerived(hash, 'v1')).toBeUndefined();
    store.deleteBlob(hash);
    expect(readdirSync(join(directory, 'derived'))).toEqual([]);
  });

  test('of the index is found by a pass over everything, wherever it is', async () => {
    for (let key = 0; key < 40; key++) commit({ puts: [[`key/${key}`, new Uint8Array(300).fill(key)]] });
    write('a', 1, 0);
    await store.close();
    const path = join(directory, 'index.sqlite');
    const whole = readFileSync(path);
    const content = (): string => {
      const index = CheckpointIndex.open(path);
      try {
        const entries = [...index.entries('')].map(([key, value]) => [key, value.join()]);
        return JSON.stringify([entries, index.spaces(), index.row]);
      } finally {
        index.close();
      }
    };
    const expected = content();
    let found = 0;
    for (let at = 0; at < whole.length; at += 97) {
      writeFileSync(path, whole);
      flip(path, at);
      try {
        expect(content(), `byte ${at}`).toBe(expected);
      } catch (error) {
        if (!(error instanceof StoreDamagedError)) throw error;
        found += 1;
      }
      for (const name of ['index.sqlite-wal', 'index.sqlite-shm'])
        rmSync(join(directory, name), { force: true });
    }
    expect(found).toBeGreaterThan(50);
    writeFileSync(path, whole);
    store = DurableStore.open(directory);
  });

  test('a missing log is found at the start', async () => {
    write('a', 1, 0);
    await store.close();
    const before = readdirSync(directory);
    const [name = ''] = readdirSync(join(directory, 'log'));
    const path = join(directory, 'log', name);
    const bytes = readFileSync(path);
    rmSync(path);
    expect(() => DurableStore.open(directory)).toThrow(StoreDamagedError);
    expect(() => DurableStore.open(directory)).toThrow(path);
    writeFileSync(path, bytes);
    expect(readdirSync(directory)).toEqual(before);
    store = DurableStore.open(directory);
    expect(content('a')).toEqual([1]);
  });

  test.each([
    ['missing', 0],
    ['cut within its first pages', 3],
    ['cut behind a group of pages', 514],
  ])('pages of a file that is %s stay lost, also behind a checkpoint and in copies', async (_how, pages) => {
    write('a', 1, 0, 1, 2, 600);
    write('b', 2, 0);
    await store.checkpoint();
    await store.close();
    const [name = ''] = pageFiles().toSorted();
    const path = join(directory, 'pages', name);
    if (pages === 0) rmSync(path);
    else writeFileSync(path, readFileSync(path).subarray(0, pages * PAGE_BYTES));
    store = DurableStore.open(directory);
    write('a', 3, 1);
    commit({ copySpaces: [{ from: 'a', to: 'c' }] });
    await reopen();
    const lost = pages === 0 ? [0, 2, 5, 600] : pages === 3 ? [2, 600] : [600];
    for (const space of ['a', 'c'])
      for (const index of lost) {
        expect(() => store.readPages(space, index, 1), `${space} ${index}`).toThrow(StoreDamagedError);
      }
    expect(store.readPages('a', 1, 1)[0]).toBe(3);
    expect(store.readPages('c', 1, 1)[0]).toBe(3);
    expect(content('b')).toEqual([2]);
  });
});
