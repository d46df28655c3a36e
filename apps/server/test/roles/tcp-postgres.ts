import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgresBinaries } from '../../src/db/postgres/postgres-binaries.ts';
import { asOrdinaryUser, postgresEnvironment } from '../../src/db/postgres/postgres-command.ts';

/** A Postgres as an operator has one: on TCP, with a password, beside the product. */
export interface TcpPostgres {
  /** What DATABASE_URL is. */
  readonly url: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const READY_MS = 30_000;

/**
 * Starts one in a folder, which keeps its data and its password.
 * @param options.enter what comes before the command, to run it elsewhere, such as in another network namespace
 */
export async function startTcpPostgres(options: {
  folder: string;
  host: string;
  port: number;
  enter?: readonly string[];
}): Promise<TcpPostgres> {
  const { folder, host, port, enter = [] } = options;
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error('There is no Postgres of npm for this machine.');
  const cluster = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  if (!existsSync(cluster)) await createCluster(binaries.initdb, { folder, cluster, passwordFile });
  const password = readFileSync(passwordFile, 'utf8');
  const url = `postgres://cannery:${password}@${host}:${port}/postgres`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    await isLeft(cluster);
    const settings = [
      `listen_addresses=${host}`,
      `port=${port}`,
      'unix_socket_directories=',
      'max_connections=200',
    ];
    const command = [binaries.postgres, '-D', cluster, ...settings.flatMap((each) => ['-c', each])];
    // It ends with this process, however that ends.
    const [file = '', ...args] = [
      ...enter,
      ...asOrdinaryUser(['setpriv', '--pdeathsig', 'QUIT', ...command]),
    ];
    const started = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env: postgresEnvironment() });
    let said = '';
    started.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
    });
    child = started;
    for (const end = Date.now() + READY_MS; !(await answers(url)); await sleep(50)) {
      if (started.exitCode !== null || Date.now() > end) throw new Error(`Postgres did not start: ${said}`);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  return { url, start, stop: () => end('SIGINT'), kill: () => end('SIGQUIT') };
}

/** Resolves when the server of a process that was killed has left the folder: it ends its sessions first. */
async function isLeft(cluster: string): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(50)) {
    const [pid] = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
      (lock) => lock.split('\n'),
      () => [],
    );
    if (pid === undefined || !existsSync(`/proc/${pid}`)) return;
  }
}

async function createCluster(
  initdb: string,
  { folder, cluster, passwordFile }: { folder: string; cluster: string; passwordFile: string },
): Promise<void> {
  const draft = `${cluster}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  const options = ['-U', 'cannery', '-A', 'scram-sha-256', '--no-locale', '-E', 'UTF8', '--no-instructions'];
  const [file = '', ...args] = asOrdinaryUser([initdb, '-D', draft, ...options, `--pwfile=${passwordFile}`]);
  await promisify(execFile)(file, args, { env: postgresEnvironment() });
  writeFileSync(join(draft, 'pg_hba.conf'), 'host all cannery 0.0.0.0/0 scram-sha-256\n');
  renameSync(draft, cluster);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
