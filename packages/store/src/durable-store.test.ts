import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Batch, PAGE_BYTES } from './files/batch.ts';
import { DurableStore, type DurableStoreOptions } from './durable-store.ts';
import { StoreLockedError } from './files/errors.ts';
import { batchOf, contentAfter, contentOf } from '../test/store-workload.ts';

// They wait for the disk, which others may keep busy.
vi.setConfig({ testTimeout: 30_000 });

let directory = '';
let stores: DurableStore[] = [];

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'cannery-store-'));
  directory = made;
  stores = [];
  return async () => {
    for (const store of stores) await store.close();
    rmSync(made, { recursive: true });
  };
});

function open(options: DurableStoreOptions = {}): DurableStore {
  const store = DurableStore.open(directory, options);
  stores.push(store);
  return store;
}

function batch(part: Partial<Batch>): Batch {
  return { dropSpaces: [], sizes: [], pages: [], deletes: [], puts: [], ...part };
}

function page(value: number): Uint8Array {
  return new Uint8Array(PAGE_BYTES).fill(value);
}

async function reopened(store: DurableStore): Promise<DurableStore> {
  await store.close();
  return open();
}

test('a commit is visible at once, numbered from 1, and survives closing', async () => {
  const store = open();
  expect(store.commit(batch({ puts: [['k', Uint8Array.of(1, 2)]] }))).toBe(1);
  expect(store.get('k')).toEqual(Uint8Array.of(1, 2));
  expect(store.commit(batch({ puts: [['empty', new Uint8Array(0)]], deletes: ['none'] }))).toBe(2);
  const again = await reopened(store);
  expect(again.get('k')).toEqual(Uint8Array.of(1, 2));
  expect(again.get('empty')).toEqual(new Uint8Array(0));
  expect(again.get('none')).toBeUndefined();
  expect(again.commit(batch({ deletes: ['k'] }))).toBe(3);
  expect(again.get('k')).toBeUndefined();
  expect((await reopened(again)).get('k')).toBeUndefined();
});

test('a checkpoint leaves nothing in the log of SQLite that the start after a crash would have to read', async () => {
  const store = open();
  for (const round of [1, 2]) {
    store.commit(batch({ puts: [['k', new Uint8Array(10_000).fill(round)]] }));
    await store.checkpoint();
    expect(statSync(join(directory, 'index.sqlite-wal')).size).toBe(0);
  }
  expect(store.get('k')).toEqual(new Uint8Array(10_000).fill(2));
});

test('what is handed in or out can be changed without changing the store', async () => {
  const store = open();
  for (const size of [10, 10_000]) {
    const value = Buffer.alloc(size, 7);
    store.commit(batch({ puts: [['k', value]] }));
    value.fill(9);
    store.get('k')?.fill(8);
    expect(store.get('k')).toEqual(new Uint8Array(size).fill(7));
  }
});

test('keys of a prefix come sorted, before and after a checkpoint', async () => {
  const store = open();
  const put = (...keys: string[]): Batch =>
    batch({ puts: keys.map((key) => [key, Uint8Array.of(0)] as const) });
  store.commit(put('b/2', 'a/1', 'b/1', 'b', 'c'));
  expect([...store.keys('b/')]).toEqual(['b/1', 'b/2']);
  await store.checkpoint();
  store.commit(put('b/0', 'b/é'));
  store.commit(batch({ deletes: ['b/1'] }));
  expect([...store.keys('b/')]).toEqual(['b/0', 'b/2', 'b/é']);
  const all = ['a/1', 'b', 'b/0', 'b/2', 'b/é', 'c'];
  expect([...store.keys('')]).toEqual(all);
  const inBulk = store.inBulk(() => {
    const keys = [...store.keys('')];
    return {
      keys,
      some: [...store.keys('b/')],
      values: keys.map((key) => store.get(key)),
      none: store.get('x'),
    };
  });
  const values = all.map(() => Uint8Array.of(0));
  expect(inBulk).toEqual({ keys: all, some: ['b/0', 'b/2', 'b/é'], values, none: undefined });
});

describe('spaces', () => {
  test('pages are read from file and log together', async () => {
    const store = open();
    store.commit(
      batch({
        sizes: [{ space: 's', pages: 20 }],
        pages: [0, 3, 4].map((index) => ({ space: 's', index, bytes: page(1) })),
      }),
    );
    await store.checkpoint();
    store.commit(
      batch({
        pages: [
          { space: 's', index: 3, bytes: page(2) },
          { space: 's', index: 21, bytes: page(3) },
        ],
      }),
    );
    expect(store.spaceSize('s')).toBe(22);
    const seen: (readonly [index: number, byte: number | undefined])[] = [];
    store.readSpace('s', (index, bytes) => seen.push([index, bytes[100]]));
    expect(seen.toSorted(([a], [b]) => a - b)).toEqual([
      [0, 1],
      [3, 2],
      [4, 1],
      [21, 3],
    ]);
    const read = store.readPages('s', 2, 4);
    expect([0, 1, 2, 3].map((at) => read[at * PAGE_BYTES + 5])).toEqual([0, 2, 1, 0]);
    expect(store.readPages('unknown', 0, 2)).toEqual(new Uint8Array(2 * PAGE_BYTES));
  });

  test.each([false, true])(
    'a space that shrinks and grows again is zero there (checkpoint between: %s)',
    async (between) => {
      const store = open();
      store.commit(batch({ pages: [1, 2, 3].map((index) => ({ space: 's', index, bytes: page(9) })) }));
      await store.checkpoint();
      store.commit(batch({ sizes: [{ space: 's', pages: 2 }] }));
      if (between) await store.checkpoint();
      store.commit(batch({ sizes: [{ space: 's', pages: 4 }] }));
      const expected = new Uint8Array(4 * PAGE_BYTES);
      expected.set(page(9), PAGE_BYTES);
      expect(store.readPages('s', 0, 4)).toEqual(expected);
      expect((await reopened(store)).readPages('s', 0, 4)).toEqual(expected);
    },
  );

  test('a dropped space is gone, and a new one of that name starts empty', async () => {
    const store = open();
    store.commit(batch({ pages: [{ space: 's', index: 1, bytes: page(9) }] }));
    await store.checkpoint();
    store.commit(batch({ dropSpaces: ['s'] }));
    expect(store.spaceSize('s')).toBe(0);
    store.commit(
      batch({
        dropSpaces: ['s'],
        sizes: [{ space: 's', pages: 2 }],
        pages: [{ space: 's', index: 0, bytes: page(4) }],
      }),
    );
    const again = await reopened(store);
    expect(again.readPages('s', 0, 2)).toEqual(new Uint8Array(Buffer.concat([page(4), page(0)])));
    again.commit(batch({ dropSpaces: ['s'] }));
    expect((await reopened(again)).spaceSize('s')).toBe(0);
  });

  test('a record larger than the write buffer is whole', async () => {
    const store = open();
    const pages = Array.from({ length: 2_500 }, (_, index) => ({
      space: 's',
      index,
      bytes: page(index % 251),
    }));
    store.commit(batch({ pages, puts: [['big', new Uint8Array(5_000_000).fill(3)]] }));
    const whole = Buffer.concat(pages.map(({ bytes }) => bytes));
    const intact = (opened: DurableStore): boolean =>
      opened.get('big')?.every((byte) => byte === 3) === true &&
      whole.equals(opened.readPages('s', 0, pages.length));
    expect(intact(store)).toBe(true);
    expect(intact(await reopened(store))).toBe(true);
  });

  test('a page of the wrong length is refused and changes nothing', async () => {
    const store = open();
    const wrong = batch({
      puts: [['k', Uint8Array.of(1)]],
      pages: [{ space: 's', index: 0, bytes: new Uint8Array(10) }],
    });
    expect(() => store.commit(wrong)).toThrow(RangeError);
    expect([store.get('k'), store.sequence]).toEqual([undefined, 0]);
  });
});

test('a long mixed history is kept through many checkpoints and openings', async () => {
  let store = open({ checkpointBytes: 100_000 });
  for (let number = 1; number <= 400; number++) {
    store.commit(batchOf(number));
    if (number % 90 === 0) {
      await store.close();
      store = open({ checkpointBytes: 100_000 });
    }
  }
  expect(contentOf(store)).toEqual(contentAfter(400));
  expect(contentOf(await reopened(store))).toEqual(contentAfter(400));
});

describe('durability', () => {
  test('durable resolves for every commit, in groups', async () => {
    const store = open();
    const sequences = Array.from({ length: 35 }, (_, position) => store.commit(batchOf(position + 1)));
    await Promise.all(sequences.map((sequence) => store.durable(sequence)));
    await expect(store.durable(36)).rejects.toThrow('No record 36');
  });

  test('a checkpoint makes everything durable and closing does not wait for a running sync', async () => {
    const store = open();
    const first = store.commit(batchOf(1));
    const second = store.commit(batchOf(2));
    const waiting = Promise.all([store.durable(first), store.durable(second)]);
    await store.checkpoint();
    await waiting;
    const third = store.durable(store.commit(batchOf(3)));
    await store.close();
    await third;
  });

  test('an idle store writes a checkpoint by itself', async () => {
    const steps: string[] = [];
    const written = new Promise<void>((resolve) => {
      const store = open({
        idleMilliseconds: 10,
        onCheckpointStep: (step) => {
          steps.push(step);
          if (step === 'old-log-deleted') resolve();
        },
      });
      store.commit(batchOf(1));
    });
    await written;
    expect(steps).toEqual(['new-log-made', 'pages-written', 'index-written', 'old-log-deleted']);
  });

  test('a checkpoint that fails by itself fails no commit, is reported and tried again', async () => {
    let broken = true;
    const store = open({
      checkpointBytes: 50_000,
      onCheckpointStep: (step) => {
        if (broken && step === 'pages-written') throw new Error('disk full');
      },
    });
    let number = 0;
    const commitUntil = async (done: () => boolean): Promise<void> => {
      while (!done()) await store.durable(store.commit(batchOf(++number)));
    };
    await commitUntil(() => store.checkpointFailure !== undefined);
    expect(store.checkpointFailure?.message).toBe('disk full');
    expect(contentOf(store)).toEqual(contentAfter(number));
    broken = false;
    await commitUntil(() => store.checkpointFailure === undefined);
    expect(contentOf(store)).toEqual(contentAfter(number));
    expect(contentOf(await reopened(store))).toEqual(contentAfter(number));
  });
});

describe('blobs', () => {
  test('are found by the SHA-256 of their bytes until deleted', async () => {
    const store = open();
    const bytes = new TextEncoder().encode('abc');
    const hash = store.putBlob(bytes);
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(store.putBlob(bytes)).toBe(hash);
    const again = await reopened(store);
    expect(again.getBlob(hash)).toEqual(bytes);
    again.deleteBlob(hash);
    expect(again.getBlob(hash)).toBeUndefined();
    again.deleteBlob(hash);
  });

  test('a name that is no hash is refused', async () => {
    expect(() => open().getBlob('../owner.pid')).toThrow(RangeError);
  });
});

test('a second owner in the same process is refused, and told who the first is', async () => {
  const store = open();
  expect(() => DurableStore.open(directory)).toThrow(StoreLockedError);
  expect(() => DurableStore.open(directory)).toThrow(`in use by process ${process.pid}`);
  store.commit(batchOf(1));
  expect(contentOf(await reopened(store))).toEqual(contentAfter(1));
});
