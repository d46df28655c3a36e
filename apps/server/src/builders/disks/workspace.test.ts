import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { diskOf } from '../tenant/disk-of.ts';
import { noSandbox, testWorkspace } from './workspace.testing.ts';

test('a build that is opened while the first of its tenant is finds the cache made, and given to their user', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-workspace-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const given = new Set<string>();
  let calls = 0;
  const sandbox: typeof noSandbox = {
    ...noSandbox,
    async adopt(folders) {
      // Whoever comes first is slow.
      if (++calls === 1) await delay(300);
      for (const folder of folders) given.add(diskOf(folder));
    },
  };
  const open = async () => {
    const workspace = await testWorkspace(dataDir, sandbox);
    expect(given).toContain(workspace.disk.cache);
    return workspace;
  };
  const all = await Promise.all(Array.from({ length: 6 }, open));
  expect(new Set(all.map(({ disk }) => disk.cache)).size).toBe(1);
  expect(new Set(all.map(({ disk }) => disk.source)).size).toBe(all.length);
  for (const one of all) await one.remove();
});
