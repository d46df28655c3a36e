import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { hasEnded, keepRunning } from '../../keep-running.ts';
import type { Logger } from '../../log/logger.ts';
import {
  DATABASE,
  LOCK_TIMEOUT_MS,
  passwordOf,
  prepareRoles,
  SERVER_ROLE,
  SUPERUSER,
} from './cluster-roles.ts';
import type { EmbeddedConnection } from '../database.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { asOrdinaryUser, EmbeddedPostgresError, isHeld, postgresEnvironment } from './postgres-command.ts';
import { StartError } from '../../errors.ts';
import { removeSocketFolder, socketFolderOf, takeSocketFolder } from './socket-folder.ts';

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection;
  /** Process id of the server; undefined while it is being started again. */
  pid(): number | undefined;
  /** Ends the database in good order: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

const run = promisify(execFile);

const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 25;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the Postgres of the project's npm packages on a private unix socket (no TCP), creating its data folder on
 * first use. It asks for a password that is in the data folder, and gives the server a role that owns its tables and no more
 * (decision 0084). It dies with this process, also after kill -9. When it dies alone, it is started again; each start
 * recovers what was committed from its write-ahead log.
 * @throws EmbeddedPostgresError where no binary fits the platform or the database does not come up; StartError where a folder is closed
 *   to it
 */
export async function startPostgres(options: {
  dataDir: string;
  /** Hears that the database has died. */
  log?: Pick<Logger, 'error'>;
}): Promise<EmbeddedPostgres> {
  const binaries = findPostgresBinaries();
  if (!binaries) {
    throw new EmbeddedPostgresError(
      `There is no bundled Postgres for ${process.platform}-${process.arch}. Set DATABASE_URL to a Postgres server.`,
    );
  }
  const cluster = clusterOf(options.dataDir);
  await ensureCluster(binaries.initdb, cluster);
  await prepareRoles(binaries.postgres, cluster);
  takeSocketFolder(cluster);
  const connection = embeddedConnection(options.dataDir);
  const server = await keepRunning({
    name: 'The database',
    log: options.log ?? { error: () => undefined },
    start: () => bringUp(binaries.postgres, cluster, connection),
    end: stop,
  });
  return {
    connection,
    pid: server.pid,
    async stop() {
      await server.stop();
      removeSocketFolder(cluster);
    },
  };
}

/** Where util-linux is there, the kernel ends the database when this process ends in whatever way. */
function withParentDeathSignal(command: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'QUIT', ...command] : command;
}

/** The database runs without the rights by which root passes through folders of others. */
function closedToOthers(paths: readonly string[], cause: Error): StartError {
  return new StartError(
    `The database may not reach ${paths.join(' or ')}: a folder above it lets only another user in. The database runs without the rights of root. Move it below a folder that is yours, or let others pass through those above it (chmod a+x).`,
    { cause },
  );
}

/** @throws StartError where folders are closed to it; EmbeddedPostgresError where it cannot be made otherwise */
async function ensureCluster(initdb: string, cluster: string): Promise<void> {
  if (existsSync(path.join(cluster, 'PG_VERSION'))) return;
  // A first start that was interrupted leaves only the temporary folder behind.
  const temporary = `${cluster}.new`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(path.dirname(cluster), { recursive: true, mode: 0o700 });
  const [command = '', ...args] = asOrdinaryUser([
    initdb,
    '-D',
    temporary,
    // Nobody gets in before the roles and rules of ours are there.
    '-A',
    'reject',
    '-U',
    SUPERUSER,
    '--no-locale',
    '-E',
    'UTF8',
    '--no-instructions',
  ]);
  await run(command, args, { env: postgresEnvironment() }).catch((error: Error) => {
    if (/permission denied/i.test(error.message)) throw closedToOthers([initdb, cluster], error);
    throw new EmbeddedPostgresError(`The database could not be created in ${cluster}: ${error.message}`);
  });
  renameSync(temporary, cluster);
}

/**
 * How the database of a data folder is reached while it runs, for programs that may read that folder.
 * @throws EmbeddedPostgresError when it was not started
 */
export function embeddedConnection(dataDir: string): EmbeddedConnection {
  const cluster = clusterOf(dataDir);
  const host = socketFolderOf(cluster);
  return { host, database: DATABASE, user: SERVER_ROLE, password: passwordOf(cluster) };
}

function clusterOf(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'postgres');
}

async function bringUp(
  postgres: string,
  cluster: string,
  connection: EmbeddedConnection,
): Promise<ChildProcess> {
  const started = performance.now();
  const deadline = started + READY_TIMEOUT_MS;
  let output = '';
  while (performance.now() < deadline) {
    const child = launch(postgres, cluster, connection.host);
    output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    });
    if (await isReady(child, cluster, connection, deadline)) return child;
    child.kill('SIGQUIT');
    if (!isHeld(output) || performance.now() > started + LOCK_TIMEOUT_MS) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new EmbeddedPostgresError(
    isHeld(output)
      ? `Another Cannery is using ${path.dirname(cluster)}. Stop it, or set DATA_DIR to another folder.`
      : `The database did not start. Its last output: ${output.trim() || 'none'}`,
  );
}

function launch(postgres: string, cluster: string, socketDir: string): ChildProcess {
  const settings = [
    'listen_addresses=',
    'unix_socket_permissions=0700',
    'shared_buffers=32MB',
    'max_connections=60',
  ];
  const [command = '', ...args] = asOrdinaryUser(
    withParentDeathSignal([
      postgres,
      '-D',
      cluster,
      '-k',
      socketDir,
      ...settings.flatMap((setting) => ['-c', setting]),
    ]),
  );
  // A separate session keeps a terminal's Ctrl+C from reaching the database before the server has let go of it.
  return spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: postgresEnvironment(),
  });
}

async function isReady(
  child: ChildProcess,
  cluster: string,
  connection: EmbeddedConnection,
  deadline: number,
): Promise<boolean> {
  let gone = false;
  child.once('exit', () => {
    gone = true;
  });
  child.once('error', () => {
    gone = true;
  });
  while (!gone && performance.now() < deadline) {
    const client = new pg.Client(connection);
    try {
      await client.connect();
      // Another server's database may answer on the same socket while ours is still finding that out.
      if (ownerOf(cluster) === child.pid) return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

/** Process id of the server that holds a cluster: the first line of its lock file. */
function ownerOf(cluster: string): number {
  return Number.parseInt(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10);
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
