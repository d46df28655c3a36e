import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/db/database.ts';
import {
  type EmbeddedPostgres,
  embeddedConnection,
  startPostgres,
} from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { type CuttingProxy, openCuttingProxy } from '../../test/service/cutting-proxy.ts';
import { type S3Service, startS3Service } from '../../test/service/s3-service.ts';
import { type NetworkProxy, startNetworkProxy } from '../../test/support/network-proxy.ts';
import { type Program, startNetworkProgram, startProduct } from '../../test/support/server-process.ts';

/** A separate disk for all data, so that it can be full: needs the right to mount. */
const DISK = 'size=700m';
const preload = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));

/** The product with its database, bucket and network behind lines that can be cut. */
export interface Scene {
  readonly folder: string;
  /** What users have on their own machines. */
  readonly away: string;
  readonly dataDir: string;
  readonly product: Program;
  readonly postgres: EmbeddedPostgres;
  readonly databaseLine: CuttingProxy;
  readonly s3: S3Service;
  readonly networkLine: NetworkProxy;
  /** Past the line. */
  readonly networkUrl: () => string;
  readonly db: Db;
  /** Whether the data is on a separate disk. */
  readonly isMounted: boolean;
  killNetwork(): Promise<void>;
  startNetwork(): Promise<void>;
  /** Sets the clock of the product, in hours from the machine's. */
  setClock(hours: number): Promise<void>;
  /** Makes writes of the product fail. */
  failWrites(plan: { code: string; after: number; times: number }): Promise<void>;
  close(): Promise<void>;
}

/** @param kind which module is loaded before the product, and whether its data gets a separate disk */
export async function openScene(kind: string): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-faults-'));
  const away = await mkdtemp(join(tmpdir(), 'cannery-faults-users-'));
  const isMounted = kind === 'disk' && mount(folder);
  const dataDir = join(folder, 'data');
  const [clock, files] = [join(folder, 'clock'), join(folder, 'files')];
  await mkdir(dataDir, { mode: 0o700 });
  const postgres = await startPostgres({ dataDir: join(folder, 'database') });
  const connection = embeddedConnection(join(folder, 'database'));
  const { host, user, password, database } = connection;
  const databaseLine = await openCuttingProxy(join(host, '.s.PGSQL.5432'));
  let network = await startNetworkProgram(join(folder, 'network'));
  const { port } = new URL(network.url);
  const networkLine = await startNetworkProxy(network.url);
  const s3 = await startS3Service();
  const { hostname, port: linePort } = new URL(databaseLine.url);
  const product = await startProduct({
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@${hostname}:${linePort}/${database}`,
    DATA_DIR: dataDir,
    IC_URL: networkLine.url,
    WORKER: 'off',
    OPENING_BALANCE_T: '200',
    PUSHES_PER_MINUTE: '100000',
    CLOCK_FILE: clock,
    FILES_FILE: files,
    NODE_OPTIONS:
      kind === 'clock' || kind === 'disk'
        ? `--import=${preload(kind === 'disk' ? 'faulty-files' : 'shifted-clock')}`
        : '',
    // The disk is for what the product keeps itself.
    ...(kind === 'disk'
      ? {}
      : Object.fromEntries(Object.entries(s3.settings).map(([name, value]) => [name, String(value)]))),
  });
  const db = openDatabase(connection, 3);
  const tell = async (file: string, text: string): Promise<void> => {
    await writeFile(file, text);
    product.child.kill('SIGUSR2');
  };
  return {
    folder,
    away,
    dataDir,
    product,
    postgres,
    databaseLine,
    s3,
    networkLine,
    networkUrl: () => network.url,
    db,
    isMounted,
    killNetwork: async () => {
      await network.kill('SIGKILL');
    },
    startNetwork: async () => {
      network = await startNetworkProgram(join(folder, 'network'), Number(port));
    },
    setClock: (hours) => tell(clock, String(hours)),
    failWrites: (plan) => tell(files, JSON.stringify(plan)),
    async close() {
      await db.destroy();
      await product.kill('SIGTERM');
      await databaseLine.close();
      await networkLine.close();
      await s3[Symbol.asyncDispose]();
      await network.kill('SIGTERM');
      await postgres.stop();
      if (isMounted) execFileSync('umount', ['-l', folder]);
      for (const each of [folder, away]) await rm(each, { recursive: true, force: true });
    },
  };
}

function mount(folder: string): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', folder]);
    // The database runs as an ordinary user, who has to get to its folder.
    execFileSync('chmod', ['755', folder]);
    return true;
  } catch {
    return false;
  }
}
