import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DurableStore } from '../durable-store.ts';
import { StoreFailedError } from '../files/errors.ts';

test('a blob that is deleted during a backup is in it, and goes from the store afterwards; one that comes back stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-held-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = DurableStore.open(join(folder, 'store'));
  onTestFinished(() => store.close());
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const [gone, back] = [store.putBlob(text('gone')), store.putBlob(text('back'))];
  const copy = join(folder, 'copy');
  const backup = store.backup(copy);
  for (const hash of [gone, back]) store.deleteBlob(hash);
  store.putBlob(text('back'));
  await expect(store.backup(join(folder, 'other'))).rejects.toThrow(StoreFailedError);
  await backup;
  expect(store.blobs()).toEqual([back]);
  const copied = DurableStore.open(copy);
  onTestFinished(() => copied.close());
  expect(copied.getBlob(gone)).toEqual(text('gone'));
  expect(copied.getBlob(back)).toEqual(text('back'));
});
