import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBackupCommand } from '../../crash/backup-load.ts';
import { VERSION } from '../../src/api-endpoints.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { goOn, lookAt, type ReleaseRecord } from './release-world.ts';
import { keptReleases, PASSPHRASE, recordOf, unpack } from './stored-release.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-releases-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the version of now is among those that are kept', () => {
  expect(keptReleases().map(({ version }) => version)).toContain(VERSION);
});

/** Everything is as it was, and goes on. Later versions may tell more, and nothing else. */
async function expectAll(dataDir: string, { keys, facts }: ReleaseRecord): Promise<void> {
  const client: DeployClient = await startDeployClient({ dataDir });
  try {
    expect(await lookAt(client, keys)).toMatchObject(facts);
    const { count, pages } = facts as { count: string; pages: readonly string[] };
    const after = await goOn(client, keys);
    expect(after).toMatchObject({ page: 'pears', hash: pages[2], back: 'COMPLETED', first: 'peaches' });
    expect(BigInt(`0x${after['count']}`) - BigInt(`0x${count}`)).toBe(1n);
  } finally {
    await client.dispose();
  }
}

describe.for(keptReleases())('$version', (release) => {
  const { version } = release;
  const record = recordOf(release);

  test('a data folder is opened with all that was in it, and goes on', async () => {
    const dataDir = join(folder, `${version}-data`);
    mkdirSync(dataDir, { mode: 0o700 });
    await unpack(release.folder, dataDir);
    await expectAll(dataDir, record);
  });

  test('a backup becomes a folder with all that was in it, and goes on', async () => {
    const [backup, dataDir] = [join(folder, `${version}-backup`), join(folder, `${version}-restored`)];
    mkdirSync(backup, { mode: 0o700 });
    await unpack(release.backup, backup);
    const passphrase = join(folder, `${version}-passphrase`);
    writeFileSync(passphrase, PASSPHRASE);
    await runBackupCommand('restore', ['--from', backup, '--with-keys', passphrase], { DATA_DIR: dataDir });
    await expectAll(dataDir, record);
  });
});
