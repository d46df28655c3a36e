import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { folderWork, plants, reachedBy } from './folder-probes.ts';
import { type HostCanary, hostCanary } from './host-canary.ts';
import { namedSandboxes } from '../support/sandboxes-here.ts';

const root = mkdtempSync(join(tmpdir(), 'cannery-folders-'));
const sandboxes = await namedSandboxes(await findToolchain(process.env), root);
let canary: HostCanary;

beforeEach(() => {
  canary = hostCanary(mkdtempSync(join(root, 'host-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(`there are ${Object.keys(plants).length * Object.keys(folderWork).length} probes`, () => {
  expect(Object.keys(plants).length * Object.keys(folderWork).length).toBeGreaterThanOrEqual(150);
});

describe.each(sandboxes)('with %s', (_name, sandbox) => {
  test.each(Object.entries(plants))(
    '[R7] no work of the server on a checkout reaches the host through %s',
    async (_what, plant) => {
      const reached: string[] = [];
      const dataDir = mkdtempSync(join(root, 'data-'));
      const folders = await testWorkspace(dataDir, sandbox);
      for (const [name, work] of Object.entries(folderWork)) {
        await folders.source.empty();
        plant(folders.disk.source, canary.folder);
        const found = await reachedBy(work, folders, canary);
        if (found !== null) reached.push(`${name}: ${found}`);
      }
      await folders.remove();
      expect(canary.changes()).toEqual([]);
      expect(reached).toEqual([]);
    },
  );
});
