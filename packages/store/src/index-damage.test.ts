import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAGE_BYTES } from './files/batch.ts';
import { CheckpointIndex } from './pages/checkpoint-index.ts';
import { DurableStore } from './durable-store.ts';
import { StoreDamagedError } from './files/errors.ts';

// They wait for the disk, which others may keep busy.
vi.setConfig({ testTimeout: 30_000 });

let directory = '';

/** An index with two entries and two spaces. */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cannery-index-'));
  const store = DurableStore.open(directory);
  const page = new Uint8Array(PAGE_BYTES).fill(1);
  store.commit({
    dropSpaces: [],
    sizes: [],
    pages: [
      { space: 'a', index: 0, bytes: page },
      { space: 'b', index: 0, bytes: page },
    ],
    deletes: [],
    puts: [
      ['key/1', Uint8Array.of(1)],
      ['key/2', Uint8Array.of(2)],
    ],
  });
  await store.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Reads everything, as a start does. */
function readAll(): unknown {
  const index = CheckpointIndex.open(join(directory, 'index.sqlite'));
  try {
    return [index.row, index.spaces(), [...index.entries('')]];
  } finally {
    index.close();
  }
}

// SQLite reads each of them as well as before: only our own check values know that they changed.
test.each([
  ["UPDATE entries SET value = x'03' WHERE key = 'key/1'", 'the entry key/1'],
  ["UPDATE entries SET key = 'key/3' WHERE key = 'key/1'", 'the entry key/3'],
  ["DELETE FROM entries WHERE key = 'key/2'", 'entries are missing'],
  ["UPDATE spaces SET pages = pages + 1 WHERE name = 'a'", 'the row of space a'],
  ["UPDATE spaces SET file = file + 1 WHERE name = 'b'", 'the row of space b'],
  ["UPDATE spaces SET name = 'c' WHERE name = 'b'", 'the row of space c'],
  ["DELETE FROM spaces WHERE name = 'b'", 'spaces are missing'],
  ['UPDATE checkpoint SET sequence = sequence + 1', 'the checkpoint row'],
  ['UPDATE checkpoint SET log = log + 1', 'the checkpoint row'],
  ['UPDATE checkpoint SET entries = entries - 1', 'the checkpoint row'],
  ['UPDATE checkpoint SET spaces = spaces - 1', 'the checkpoint row'],
])('a changed row of the index is found: %s', (change, what) => {
  expect(readAll()).toBeDefined();
  const database = new DatabaseSync(join(directory, 'index.sqlite'));
  const { changes } = database.prepare(change).run();
  database.close();
  expect(changes).toBe(1);
  expect(readAll).toThrow(StoreDamagedError);
  expect(readAll).toThrow(what);
});
