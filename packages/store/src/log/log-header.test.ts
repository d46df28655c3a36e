import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { DurableStore } from '../durable-store.ts';
import { StoreDamagedError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';

const HEADER_BYTES = 32;
const CHECK_AT = 20;

/** Opens a copy of the store, as a crash would leave it, whose log has been changed; the value it has then. */
async function openChanged(
  from: string,
  to: string,
  change: (log: Buffer) => void,
): Promise<string | undefined> {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/^(owner\..*|control\.sock)$/.test(basename(path)),
  });
  const [name = ''] = readdirSync(storePaths.logs(to));
  const path = join(storePaths.logs(to), name);
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  const store = DurableStore.open(to);
  const value = store.get('key');
  await store.close();
  return value && Buffer.from(value).toString();
}

test('a bit that turned over anywhere in the header of a log is found, and logs without a check are read', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-header-'));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const store = DurableStore.open(from);
  const puts = [['key', Buffer.from('kept')]] as const;
  const sequence = store.commit({ puts, deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] });
  await store.durable(sequence);
  expect(await openChanged(from, to, () => undefined)).toBe('kept');
  for (let at = 0; at < HEADER_BYTES; at++) {
    const flipped = openChanged(from, to, (log) => log.writeUInt8(log.readUInt8(at) ^ 4, at));
    await expect(flipped, `byte ${at}`).rejects.toThrow(StoreDamagedError);
  }
  expect(await openChanged(from, to, (log) => log.fill(0, CHECK_AT, CHECK_AT + 4))).toBe('kept');
  await store.close();
  rmSync(folder, { recursive: true });
});
