import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { signIn, startProduct } from '@cannery/dev-env';
import { seededRandom } from '../../../packages/network/crash/seeded-random.ts';
import { readManifest } from '../src/backup/manifest.ts';
import { openDatabase } from '../src/db/database.ts';
import { embeddedConnection } from '../src/db/postgres/embedded-postgres.ts';
import { createIcClient } from '../src/ic/create-ic-client.ts';
import { loadServerIdentity } from '../src/ic/agent/server-identity.ts';
import { LedgerAudit } from './ledger-audit.ts';
import { type Customer, PayingClient } from './paying-client.ts';

const COMMANDS = {
  backup: fileURLToPath(new URL('../src/backup/backup-command.ts', import.meta.url)),
  restore: fileURLToPath(new URL('../src/backup/restore-command.ts', import.meta.url)),
};
const USERS = 4;
/** Nobody runs out of cycles: what is to be seen is payments. */
const BUDGET_T = 100_000;

const ENVIRONMENT = {
  NETWORK_FEES: 'free',
  WORKER: 'off',
  OPENING_BALANCE_T: String(BUDGET_T),
  LOG_LEVEL: 'error',
  RATE_LIMIT: '100000',
  SIGN_IN_LIMIT: '100000',
};

interface BackupLoadOptions {
  readonly clients: number;
  readonly backups: number;
  readonly seed: number;
  /** Milliseconds of payments before each backup. */
  readonly pauseMs: number;
  /** Told how far the run is. */
  readonly onProgress?: (line: string) => void;
}

interface BackupLoadReport {
  readonly payments: number;
  /** Payments that were answered before each backup was asked for, and that it has. */
  readonly kept: readonly number[];
  readonly canisters: readonly number[];
  /** For how long payments stood still in each, in milliseconds. */
  readonly heldMs: readonly number[];
  readonly backupMs: readonly number[];
  readonly restoreMs: readonly number[];
  readonly findings: readonly string[];
}

/** Runs a command of the operator; answers how long it took, in milliseconds. */
export async function runBackupCommand(
  command: keyof typeof COMMANDS,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ ms: number; output: string }> {
  const start = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [COMMANDS[command], ...args], {
    env: { ...process.env, ...env },
  });
  return { ms: performance.now() - start, output: stdout };
}

/**
 * Backs a real product up in the middle of creations and top-ups, again and again, brings each backup back into an empty folder,
 * starts the product there, and compares its books with its canisters. Each payment that was answered before a backup was asked for
 * must be in it.
 */
export async function backupLoad(options: BackupLoadOptions): Promise<BackupLoadReport> {
  const { clients, backups, seed, pauseMs, onProgress } = options;
  const folder = await mkdtemp(join(tmpdir(), 'cannery-backup-load-'));
  const product = await startProduct({ env: ENVIRONMENT });
  const findings: string[] = [];
  const figures = {
    kept: [] as number[],
    canisters: [] as number[],
    heldMs: [] as number[],
    backupMs: [] as number[],
    restoreMs: [] as number[],
  };
  try {
    const customers: Customer[] = [];
    const paying: PayingClient[] = [];
    for (let user = 0; user < USERS; user += 1) {
      const customer = { name: `customer-${user}`, canisters: [], intentions: [] };
      customers.push(customer);
      const token = await signIn(product.url, customer.name);
      for (let client = user; client < clients; client += USERS)
        paying.push(new PayingClient(product.url, token, customer, seededRandom(seed * 1000 + client)));
    }
    const answered = (): Set<string> =>
      new Set(
        customers.flatMap(({ intentions }) =>
          intentions.flatMap(({ key, outcome }) => (outcome && 'paid' in outcome ? [key] : [])),
        ),
      );
    let isOver = false;
    const working = Promise.all(
      paying.map(async (client) => {
        while (!isOver) await client.step();
      }),
    );
    for (let number = 1; number <= backups; number += 1) {
      await sleep(pauseMs);
      const before = answered();
      const to = join(folder, `backup-${number}`);
      const { ms } = await runBackupCommand('backup', ['--to', to], { DATA_DIR: product.dataDir });
      const { heldMs } = await readManifest(to);
      figures.backupMs.push(ms);
      figures.heldMs.push(heldMs ?? 0);
      figures.kept.push(before.size);
      onProgress?.(
        `backup ${number}: ${ms.toFixed(0)} ms, payments stood still for ${heldMs?.toFixed(0)} ms`,
      );
      const restored = join(folder, `restored-${number}`);
      const { ms: restoreMs } = await runBackupCommand('restore', ['--from', to], { DATA_DIR: restored });
      figures.restoreMs.push(restoreMs);
      const audit = await auditRestored(restored, product.dataDir, before, clients + 1);
      figures.canisters.push(audit.canisters);
      findings.push(...audit.findings.map((finding) => `backup ${number}: ${finding}`));
      await rm(to, { recursive: true });
      await rm(restored, { recursive: true });
      onProgress?.(`restore ${number}: ${restoreMs.toFixed(0)} ms, ${audit.canisters} canisters`);
    }
    isOver = true;
    await working;
    findings.push(...paying.flatMap((client) => client.findings));
    return { payments: answered().size, ...figures, findings };
  } finally {
    await product.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the product on a restored folder, and looks whether its books and its canisters agree to the cycle. */
async function auditRestored(
  dataDir: string,
  original: string,
  answered: ReadonlySet<string>,
  idsBeyond: number,
): Promise<{ canisters: number; findings: string[] }> {
  // Keys are not in the backup: those of the operator are the same.
  const env = {
    ...ENVIRONMENT,
    SECRETS_KEY_FILE: join(original, 'secrets.key'),
  };
  await copyFile(join(original, 'ic-identity.json'), join(dataDir, 'ic-identity.json'));
  const product = await startProduct({ dataDir, env });
  const db = openDatabase(embeddedConnection(dataDir), 2);
  try {
    const ic = createIcClient({ icUrl: product.networkUrl, identity: await loadServerIdentity(dataDir) });
    const audit = await LedgerAudit.run(db, ic, { customers: [], idsBeyond });
    const rows = await db.selectFrom('transactions').select('request_key').execute();
    const booked = new Set(rows.map((row) => row.request_key));
    const lost = [...answered].filter((key) => !booked.has(key));
    const findings = [...audit.findings];
    if (lost.length > 0)
      findings.push(`${lost.length} payments were answered before the backup, and are not in it`);
    return { canisters: audit.canisters, findings };
  } finally {
    await db.destroy();
    await product.stop();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '32' },
      backups: { type: 'string', default: '20' },
      pause: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const report = await backupLoad({
    clients: Number(values.clients),
    backups: Number(values.backups),
    pauseMs: Number(values.pause),
    seed: Number(values.seed),
    onProgress: (line) => process.stdout.write(`${line}\n`),
  });
  const sorted = report.heldMs.toSorted((a, b) => a - b);
  process.stdout.write(
    `${report.payments} payments, ${report.heldMs.length} backups; payments stood still for ${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms (median), ${sorted.at(-1)?.toFixed(0)} ms at most; ${report.findings.length} findings\n`,
  );
  for (const finding of report.findings.slice(0, 20)) process.stdout.write(`${finding}\n`);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
}
