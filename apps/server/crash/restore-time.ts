import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApi, signIn, startProduct } from '@cannery/dev-env';
import { readManifest } from '../src/backup/manifest.ts';
import { runBackupCommand } from './backup-load.ts';

/** Requests that are under way beside each other. */
const AT_ONCE = 32;
const USERS = 8;

// How long a backup and a restore of a number of canisters take, on a real product. Each canister is created and paid by its user.
const { values } = parseArgs({ options: { canisters: { type: 'string', default: '10000' } } });
const count = Number(values.canisters);
const folder = await mkdtemp(join(tmpdir(), 'cannery-restore-time-'));
const env = {
  OPENING_BALANCE_T: '100000',
  LOG_LEVEL: 'error',
  RATE_LIMIT: '1000000',
  SIGN_IN_LIMIT: '1000',
  WORKER: 'off',
};
const product = await startProduct({ env });
const say = (what: string, ms: number): boolean =>
  process.stdout.write(`${what.padEnd(28)}${(ms / 1000).toFixed(1)} s\n`);
try {
  const users = await Promise.all(
    Array.from({ length: USERS }, async (_, user) =>
      createApi(product.url, await signIn(product.url, `owner-${user}`)),
    ),
  );
  let begun = 0;
  const creating = performance.now();
  const create = async (worker: number): Promise<void> => {
    const api = users[worker % USERS];
    while (begun < count) {
      begun += 1;
      await api?.call('POST', '/canister/create', {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => create(worker)));
  say(`${count} canisters made`, performance.now() - creating);
  const to = join(folder, 'backup');
  say('backup', (await runBackupCommand('backup', ['--to', to], { DATA_DIR: product.dataDir })).ms);
  const { heldMs, files, rows } = await readManifest(to);
  say('  payments stood still', heldMs ?? 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(
    `  ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${rows['canisters']} canisters\n`,
  );
  say('check', (await runBackupCommand('backup', ['--check', to], { DATA_DIR: folder })).ms);
  const dataDir = join(folder, 'restored');
  say('restore', (await runBackupCommand('restore', ['--from', to], { DATA_DIR: dataDir })).ms);
  const starting = performance.now();
  const restored = await startProduct({ dataDir, env });
  say('first start', performance.now() - starting);
  await restored.stop();
} finally {
  await product.dispose();
  await rm(folder, { recursive: true, force: true });
}
