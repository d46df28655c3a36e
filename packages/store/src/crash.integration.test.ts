import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type CheckpointStep, DurableStore } from './durable-store.ts';
import { StoreDamagedError, StoreLockedError } from './files/errors.ts';
import { contentAfter, contentOf } from '../test/store-workload.ts';

const WRITER = fileURLToPath(new URL('../test/store-writer.ts', import.meta.url));

// They start processes and wait for the disk.
vi.setConfig({ testTimeout: 60_000 });

let directory = '';

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'cannery-crash-'));
  directory = made;
  return () => rmSync(made, { recursive: true });
});

interface Writer {
  readonly child: ChildProcess;
  /** Resolves with the last acknowledged commit when the process is gone. */
  readonly ended: Promise<number>;
  readonly started: Promise<unknown>;
}

function startWriter(commits: number, deadlyStep = ''): Writer {
  const child = spawn(process.execPath, [WRITER, directory, String(commits), deadlyStep], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const started = once(child.stdout, 'data');
  const ended = once(child, 'close').then(() => {
    expect(child.signalCode).toBe('SIGKILL');
    // The kill may have cut the last line short.
    const lines = output.slice(0, output.lastIndexOf('\n')).split('\n');
    return Number(lines.at(-1));
  });
  return { child, ended, started };
}

async function expectWhole(path: string, acknowledged: number): Promise<number> {
  const store = DurableStore.open(path);
  try {
    expect(store.sequence).toBeGreaterThanOrEqual(acknowledged);
    expect(contentOf(store)).toEqual(contentAfter(store.sequence));
    return store.sequence;
  } finally {
    await store.close();
  }
}

test('killed at random moments, a store loses no acknowledged commit and holds no half one', async () => {
  let commits = 0;
  for (let round = 0; round < 12; round++) {
    const { child, ended, started } = startWriter(0);
    await started;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
    child.kill('SIGKILL');
    const acknowledged = await ended;
    expect(acknowledged).toBeGreaterThan(commits);
    // Only every other crash is followed by an orderly opening here: the next writer recovers from the rest.
    commits = round % 2 === 0 ? await expectWhole(directory, acknowledged) : acknowledged;
  }
  expect(commits).toBeGreaterThan(12);
});

const steps: readonly CheckpointStep[] = [
  'new-log-made',
  'pages-written',
  'index-written',
  'old-log-deleted',
];

test.each(steps)('killed in a checkpoint after the step "%s", everything is there', async (step) => {
  expect(await startWriter(50).ended).toBe(50);
  await expectWhole(directory, 50);
  expect(await startWriter(80, step).ended).toBe(130);
  // The next one takes the checkpoint up again, and may die of it before it commits anything; the last goes on.
  await startWriter(20, step).ended;
  const last = await startWriter(20).ended;
  expect(last === 150 || last === 170).toBe(true);
  expect(await expectWhole(directory, last)).toBe(last);
});

describe('a damaged end of the log', () => {
  const logOf = (path: string): string => {
    const [name = ''] = readdirSync(join(path, 'log'));
    return join(path, 'log', name);
  };

  async function crashedTwice(): Promise<{ sizeBefore: number; size: number }> {
    await startWriter(5).ended;
    const sizeBefore = readFileSync(logOf(directory)).length;
    await startWriter(1, 'unsynced').ended;
    return { sizeBefore, size: readFileSync(logOf(directory)).length };
  }

  async function expectCut(name: string, damage: (log: string) => void): Promise<void> {
    const path = `${directory}-${name}`;
    cpSync(directory, path, { recursive: true });
    try {
      damage(logOf(path));
      expect(await expectWhole(path, 5)).toBe(5);
    } finally {
      rmSync(path, { recursive: true });
    }
  }

  test('a torn record is cut off wherever it tore', async () => {
    const { sizeBefore, size } = await crashedTwice();
    const places = [1, 3, 23, 24, 25, 40, Math.floor((size - sizeBefore) / 2), size - sizeBefore - 1];
    for (const place of places)
      await expectCut(`torn-${place}`, (log) => truncateSync(log, sizeBefore + place));
    expect(await expectWhole(directory, 6)).toBe(6);
  });

  test('a record with one wrong byte is cut off wherever the byte is', async () => {
    const { sizeBefore, size } = await crashedTwice();
    const places = [0, 4, 5, 8, 12, 16, 24, 30, Math.floor((size - sizeBefore) / 2), size - sizeBefore - 1];
    for (const place of places) {
      await expectCut(`flipped-${place}`, (log) => {
        const bytes = readFileSync(log);
        bytes[sizeBefore + place] = (bytes[sizeBefore + place] ?? 0) ^ 0x10;
        writeFileSync(log, bytes);
      });
    }
    expect(await expectWhole(directory, 6)).toBe(6);
  });

  test('a record that was known to be on disk and has one wrong byte is damage, wherever the byte is', async () => {
    await startWriter(1).ended;
    const log = logOf(directory);
    const bytes = readFileSync(log);
    // Behind the header, where the record begins, and before the mark that ends the file.
    for (const place of [33, 40, 64, Math.floor(bytes.length / 2), bytes.length - 30]) {
      const damaged = new Uint8Array(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 0x10;
      writeFileSync(log, damaged);
      expect(() => DurableStore.open(directory)).toThrow(StoreDamagedError);
      expect(() => DurableStore.open(directory)).toThrow(log);
      expect(readFileSync(log)).toEqual(Buffer.from(damaged));
    }
    writeFileSync(log, bytes);
    expect(await expectWhole(directory, 1)).toBe(1);
  });

  test('what was cut off does not come back with later commits', async () => {
    const { size } = await crashedTwice();
    truncateSync(logOf(directory), size - 1);
    const { ended } = startWriter(3);
    expect(await ended).toBe(8);
    expect(await expectWhole(directory, 8)).toBe(8);
  });
});

test('a directory owned by a living process is refused, and free once that is killed', async () => {
  const { child, ended, started } = startWriter(0);
  await started;
  expect(() => DurableStore.open(directory)).toThrow(StoreLockedError);
  expect(() => DurableStore.open(directory)).toThrow(`process ${child.pid}`);
  child.kill('SIGKILL');
  await expectWhole(directory, await ended);
});
