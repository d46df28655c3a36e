// `npm run release:keep`: keeps a data folder and a backup of the version that is released now, which later ones must open.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBackupCommand } from '../../crash/backup-load.ts';
import { VERSION } from '../../src/api-endpoints.ts';
import { startDeployClient } from '../support/deploy-client.ts';
import { fillWorld, lookAt, type ReleaseRecord } from './release-world.ts';
import { MADE_AGAIN, pack, PASSPHRASE, releaseOf } from './stored-release.ts';

const release = releaseOf(VERSION);
if (existsSync(release.record)) {
  process.stderr.write(
    `${release.record.pathname} is there: what a version has left behind does not change.\n`,
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'cannery-release-'));
const dataDir = join(folder, 'data');
mkdirSync(dataDir);
const client = await startDeployClient({ dataDir });
try {
  const keys = await fillWorld(client);
  const record: ReleaseRecord = { version: VERSION, keys, facts: await lookAt(client, keys) };
  await client.product.stop();
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, PASSPHRASE);
  const backup = join(folder, 'backup');
  await runBackupCommand('backup', ['--to', backup, '--with-keys', passphrase], { DATA_DIR: dataDir });
  mkdirSync(new URL('.', release.folder), { recursive: true });
  await pack(dataDir, release.folder, MADE_AGAIN);
  await pack(backup, release.backup);
  writeFileSync(release.record, `${JSON.stringify(record, undefined, 2)}\n`);
} finally {
  await client.dispose();
  rmSync(folder, { recursive: true, force: true });
}
