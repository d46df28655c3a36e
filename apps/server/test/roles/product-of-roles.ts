import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@cannery/dev-env';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { startS3Service } from '../service/s3-service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startRole } from '../support/server-process.ts';

/** A product whose roles are separate processes, two of each that may be two. */
export interface ProductOfRoles {
  readonly database: TestDatabase;
  /** For files of the test. */
  readonly folder: string;
  /** What every process is started with; a test takes some away. */
  readonly settings: Readonly<Record<string, string>>;
  readonly network: Program;
  readonly apis: readonly [Program, Program];
  readonly workers: readonly [Program, Program];
  /** Replaced by {@link startGit}. */
  readonly gits: readonly [Program, Program];
  /** Starts a git role that has ended, with its folder, at the port that it had. */
  startGit(place: 0 | 1): Promise<void>;
  /** The address of an api, whatever PUBLIC_URL says. */
  urlOf(place: 0 | 1): string;
  dispose(): Promise<void>;
}

export async function startProductOfRoles(): Promise<ProductOfRoles> {
  // Whatever fails, nothing goes on running.
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'cannery-roles-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  started.defer(() => database.close());
  const s3 = started.use(await startS3Service());
  const { host, user, password, database: name } = await embeddedConnection(database.folder);
  const identity = join(folder, 'identity.pem');
  writeFileSync(identity, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = join(folder, 'secrets.key');
  writeFileSync(key, randomBytes(32).toString('hex'));
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const start = async (role: string, options: Record<string, string>): Promise<Program> => {
    const place = { ROLE: role.replace(/\d$/, ''), DATA_DIR: join(folder, role) };
    const program = await startRole({ ...place, ...options });
    started.defer(async () => void (await program.kill('SIGTERM')));
    return program;
  };
  const names = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`,
    SITE_NAMES: 'on',
  };
  const network = await start('network', { ...names, NETWORK_FEES: 'free' });
  const settings = {
    ...names,
    SECRETS_KEY_FILE: key,
    // The embedded database takes 57, and six processes share it.
    DATABASE_CONNECTIONS: '6',
    PUBLIC_URL: `http://localhost:${ports[0]}`,
    IC_URL: network.url,
    IC_IDENTITY_FILE: identity,
    ...Object.fromEntries(Object.entries(s3.settings).map(([option, value]) => [option, String(value)])),
  };
  const git = (at: 0 | 1): Promise<Program> =>
    start(`git${at}`, { ...settings, PORT: String(ports[2 + at]), DRAIN_S: '2' });
  const api = (at: 0 | 1): Promise<Program> => start(`api${at}`, { ...settings, PORT: String(ports[at]) });
  const worker = (at: 0 | 1): Promise<Program> => start(`worker${at}`, settings);
  const pair = (of: (at: 0 | 1) => Promise<Program>) => Promise.all([of(0), of(1)]);
  const [gits, apis, workers] = await Promise.all([pair(git), pair(api), pair(worker)]);
  const running = started.move();
  return {
    database,
    folder,
    settings,
    network,
    apis,
    workers,
    gits,
    async startGit(at) {
      const again = await startRole({
        ...settings,
        ROLE: 'git',
        DATA_DIR: join(folder, `git${at}`),
        PORT: String(ports[2 + at]),
        DRAIN_S: '2',
      });
      running.defer(async () => void (await again.kill('SIGTERM')));
      gits[at] = again;
    },
    urlOf: (at) => `http://localhost:${ports[at]}`,
    dispose: () => running.disposeAsync(),
  };
}
