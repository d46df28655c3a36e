import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DurableStore } from '../durable-store.ts';
import { StoreDamagedError } from '../files/errors.ts';
import { storePaths } from '../files/layout.ts';

// They wait for the disk, which others may keep busy.
vi.setConfig({ testTimeout: 60_000 });

const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString();

async function write(store: DurableStore, key: string): Promise<void> {
  const puts = [[key, Buffer.from(`value of ${key}`)]] as const;
  const sequence = store.commit({ puts, deletes: [], pages: [], sizes: [], copySpaces: [], dropSpaces: [] });
  await store.durable(sequence);
}

test('a commit of the log that follows a checkpoint which was cut off is damage where it was on disk and is broken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-second-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = join(folder, 'from');
  let fails = true;
  const onCheckpointStep = (): void => {
    if (fails) throw new Error('The machine is switched off.');
  };
  const store = DurableStore.open(from, { onCheckpointStep });
  await write(store, 'first');
  await expect(store.checkpoint()).rejects.toThrow('switched off');
  await write(store, 'second');
  /** Opens a copy, as a crash would leave it now, one of whose logs has been changed. */
  const opened = (to: string, log: number, change: (bytes: Buffer) => void): DurableStore => {
    const filter = (path: string): boolean => !/^(owner\..*|control\.sock)$/.test(basename(path));
    cpSync(from, to, { recursive: true, filter });
    const names = readdirSync(storePaths.logs(to)).toSorted();
    expect(names).toEqual(['00000001.log', '00000002.log']);
    const path = join(storePaths.logs(to), names[log] ?? '');
    const bytes = readFileSync(path);
    change(bytes);
    writeFileSync(path, bytes);
    return DurableStore.open(to);
  };
  const whole = opened(join(folder, 'whole'), 0, () => undefined);
  expect([text(whole.get('first')), text(whole.get('second'))]).toEqual([
    'value of first',
    'value of second',
  ]);
  await whole.close();
  const flip = (key: string) => (bytes: Buffer) => {
    const at = bytes.indexOf(`value of ${key}`);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  };
  for (const [log, key, number] of [
    [0, 'first', 1],
    [1, 'second', 2],
  ] as const) {
    const to = join(folder, key);
    expect(() => opened(to, log, flip(key))).toThrow(StoreDamagedError);
    expect(() => DurableStore.open(to)).toThrow(`commit ${number}, which was on disk, is broken`);
    expect(() => DurableStore.open(to)).toThrow(`0000000${log + 1}.log`);
  }
  fails = false;
  await store.close();
});
