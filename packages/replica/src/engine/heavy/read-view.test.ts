import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DurableStore } from '@cannery/store/durable-store';
import { ViewedStore } from './read-view.ts';

const directory = mkdtempSync(join(tmpdir(), 'cannery-view-'));
const PAGE = 4_096;
const NOTHING = { puts: [], deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] };
let durable: DurableStore;
let store: ViewedStore;

beforeAll(() => {
  durable = DurableStore.open(directory);
  store = new ViewedStore(durable);
});
afterAll(async () => {
  await durable.close();
  rmSync(directory, { recursive: true, force: true });
});

const write = (space: string, index: number, value: number): number =>
  store.commit({ ...NOTHING, pages: [{ space, index, bytes: new Uint8Array(PAGE).fill(value) }] });
const values = (bytes: Uint8Array): number[] =>
  Array.from({ length: bytes.length / PAGE }, (_, page) => bytes[page * PAGE] ?? -1);

test('a view shows a space as it was, however often it is written, and others as they are', () => {
  for (const index of [0, 1, 2]) write('heap', index, 10 + index);
  const view = store.openView();
  view.watch('heap');
  write('heap', 1, 91);
  write('heap', 1, 92);
  write('heap', 5, 95);
  write('other', 0, 7);
  expect(view.spaceSize('heap')).toBe(3);
  expect(values(view.readPages('heap', 0, 3))).toEqual([10, 11, 12]);
  expect(values(view.readPages('heap', 1, 1))).toEqual([11]);
  expect(values(view.readPages('other', 0, 1))).toEqual([7]);
  expect(values(store.readPages('heap', 0, 3))).toEqual([10, 92, 12]);
  expect(view.broken).toBe(false);
  store.closeView(view);
  write('heap', 2, 93);
  expect(values(view.readPages('heap', 2, 1))).toEqual([93]);
});

test.each([
  ['dropped', { dropSpaces: ['stable'] }],
  ['replaced', { copySpaces: [{ from: 'heap', to: 'stable' }] }],
  ['made smaller', { sizes: [{ space: 'stable', pages: 1 }] }],
])('a view is broken when what it watches is %s', (_, change) => {
  store.commit({ ...NOTHING, sizes: [{ space: 'stable', pages: 4 }] });
  const view = store.openView();
  view.watch('stable');
  write('heap', 0, 1);
  expect(view.broken).toBe(false);
  store.commit({ ...NOTHING, ...change });
  expect(view.broken).toBe(true);
  store.closeView(view);
});
