import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-late-worker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a server that can build nothing serves until it knows, and says why it ends', async () => {
  const DATA_DIR = join(folder, 'data');
  mkdirSync(DATA_DIR, { mode: 0o700 });
  writeFileSync(join(DATA_DIR, 'builds'), 'no folder');
  const server = await startTestServer({ DATA_DIR, IC_URL: NO_NETWORK });
  try {
    expect(await server.lost).toMatch(/^The worker could not be started: .*builds/);
    expect((await fetch(`${server.url}/api/config`)).status).toBe(200);
  } finally {
    await server.close();
  }
});

test('a server that is closed before it knows what builds need waits for that, and fails at nothing', async () => {
  const lines: string[] = [];
  const writeLog = (line: string): unknown => lines.push(line);
  const server = await startTestServer({ IC_URL: NO_NETWORK, LOG_LEVEL: 'error', writeLog });
  await server.close();
  // Whatever went on behind it has had its time.
  await sleep(1_500);
  expect(lines).toEqual([]);
});
