import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnonymousIdentity, type Identity } from '@icp-sdk/core/agent';
import { createApp } from './app.ts';
import { openPlacedBlobs } from './blobs/placed-blobs.ts';
import { findRust, rustNotes, type RustToolchain } from './builders/sandbox/rust-toolchain.ts';
import { closeDataDir } from './data-dir/close-data-dir.ts';
import { addressesOf, candidUrlBefore, type Config, configOf } from './config/config.ts';
import { localUrl } from './config/host-and-port.ts';
import { partsOf } from './config/roles.ts';
import type { AppContext } from './context.ts';
import { describeNetwork } from './network/describe-network.ts';
import { type Connection, openDatabase } from './db/database.ts';
import { startPostgres } from './db/postgres/embedded-postgres.ts';
import { matchMarks } from './db/deployment-marks.ts';
import { migrate } from './db/migrate.ts';
import { ratesFor } from './db/shared-rates.ts';
import { type Db, transactOn } from './db/tx.ts';
import { startEgressProxy } from './egress/egress-proxy.ts';
import { type EnvInput, readEnv } from './config/env.ts';
import { textOf } from './errors.ts';
import { faultPointsOf } from './fault-points.ts';
import { abandonAllIntents } from './features/canister/payment/intents.ts';
import { endAllActions } from './features/canister/core/run-action.ts';
import { deploysOfRepositories, recordRepositories } from './features/repository/change-repository.ts';
import { startTellingSiteNames } from './features/deploy/publish/tell-site-names.ts';
import { endAllDeletions } from './features/deploy/settings/hold-for-deletion.ts';
import { createSignIn } from './features/session/create-sign-in.ts';
import { CallLimiter } from './fairness/call-limiter.ts';
import { Mirrors } from './git/remote/mirrors.ts';
import { createRemoteHost } from './git/remote/remote-host.ts';
import { createOutsideGit } from './git/outside/outside-git.ts';
import { createGitHub } from './github/github-client.ts';
import { createIcClient } from './ic/create-ic-client.ts';
import { loadOidcProvider } from './identity/load-oidc-provider.ts';
import { loadServerIdentity } from './ic/agent/server-identity.ts';
import { Keyring } from './keyring/keyring.ts';
import { createSealing, sealingKey } from './keyring/sealed-texts.ts';
import { drainOf } from './roles/drain.ts';
import { startNetworkRole, tellSiteNames } from './roles/network-role.ts';
import { addHealth, innerHosts } from './roles/health.ts';
import { keepHouse } from './roles/keep-house.ts';
import { sharedWarnings } from './roles/machine-warnings.ts';
import { marksOf } from './roles/marks.ts';
import { doorKeysOf } from './roles/door-keys.ts';
import { openRepositories, refuseBesideGitRoles } from './roles/repositories.ts';
import { addDoor } from './serve-repositories.ts';
import { createJobQueue } from './jobs/job-queue.ts';
import { openNotices } from './jobs/notices.ts';
import { createInnerApp } from './http/create-inner-app.ts';
import { openPaymentFence } from './jobs/payment-fence.ts';
import { listen } from './listen.ts';
import { lockDataDir } from './data-dir/data-lock.ts';
import { clearDrafts } from './data-dir/make-once.ts';
import { createLogger, type Logger } from './log/logger.ts';
import { SecurityLog } from './security-log/security-log.ts';
import { type NetworkProcess, startNetwork } from './network/network-process.ts';
import { startObserving } from './observe/start-observing.ts';
import { networkAccess } from './network/served-names.ts';
import { beginWorker, NO_WARNINGS, queues, startWorker, type Worker } from './worker.ts';

/** A running product: console, API, and whatever embedded parts it started. */
export interface RunningServer {
  /** The console's address. */
  readonly url: string;
  /** The IC HTTP interface's address. */
  readonly networkUrl: string;
  /** What the operator should know about the network and about Rust, a sentence each. */
  readonly notes: readonly string[];
  /** The embedded network's process; undefined with another network, or while it is being started again. */
  networkPid(): number | undefined;
  /** Says why this process cannot go on, if that happens: it is to be closed and started again. */
  readonly lost: Promise<string>;
  /** Ends everything in good order; no child process stays. */
  close(): Promise<void>;
}

export interface StartOptions extends EnvInput {
  /** Folder of the built console, when it is not the one in this project. */
  readonly consoleDir?: string;
  /** Takes the lines of the log, when they do not go to standard output. */
  readonly writeLog?: (line: string) => unknown;
  /** Ends a start that waits for another process to leave. */
  readonly stopping?: AbortSignal;
}

const CONSOLE_DIR = fileURLToPath(new URL('../../console/dist', import.meta.url));

/**
 * Starts the whole product in this process. Options override environment variables of the same name.
 * @throws StartError with a sentence for the operator
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { consoleDir = CONSOLE_DIR, stopping = new AbortController().signal, writeLog, ...given } = options;
  const config = configOf(readEnv({ ...process.env, ...given }));
  const log = createLogger(config, writeLog);
  await using started = new AsyncDisposableStack();
  const security = started.use(new SecurityLog({ log, isOn: config.securityLog }));
  const lost = Promise.withResolvers<string>();

  closeDataDir(config.dataDir);
  const lock = await lockDataDir(config.dataDir);
  started.defer(() => lock.release());
  await clearDrafts(config.dataDir);
  if (config.role === 'network') {
    const network = await startNetworkRole(config, log);
    started.defer(() => network.stop());
    started.use(tellSiteNames(config, network, log));
    started.use(await startObserving({ config }, { network }));
    const running = started.move();
    return {
      url: network.url,
      networkUrl: network.url,
      notes: [],
      networkPid: () => network.pid(),
      lost: lost.promise,
      close: () => running.disposeAsync(),
    };
  }
  const { server, port } = await listen(config.host, config.port);
  started.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const parts = partsOf(config.role);
  // A git role signs nothing, and is trusted with no more than it needs.
  const identity: Identity =
    parts.serves === 'door'
      ? new AnonymousIdentity()
      : await loadServerIdentity(config.dataDir, config.identityFile);
  const principal = identity.getPrincipal().toText();
  // This thread waits for the parts, and loads meanwhile what comes next. Whoever uses it hears of a failure.
  if (parts.serves === 'console' && config.identity.embedded) loadOidcProvider().catch(() => undefined);
  const [{ connection, db }, network, rust] = await startParts(config, principal, log, started);
  const addresses = addressesOf(config, { port, networkPort: network?.port ?? config.networkPort });
  const keyring = await Keyring.open(config);
  const key = (await sealingKey(db, keyring)) ?? lacksKey(log, keyring);
  if (config.role !== 'all') await matchMarks(db, marksOf(config, { addresses, principal, key }));
  else if (config.databaseUrl !== undefined) await refuseBesideGitRoles(db, config.repositoriesDir);
  const git = await openRepositories(parts.repositories, {
    config,
    addresses,
    db,
    log,
    keyring,
    server,
    started,
    url: config.internalUrl ?? `http://${config.host}:${port}`,
    onLost: lost.resolve,
    signal: stopping,
  });
  const blobs = await openPlacedBlobs({ config, db, log, onLost: lost.resolve });
  started.defer(() => blobs.close());
  const transact = transactOn(db);
  const jobs = createJobQueue({ connection, log, queues });
  const notices = openNotices({ connection, log });
  started.defer(() => notices.stop());
  const fence = started.use(openPaymentFence({ connection, log }));
  const egress = startEgressProxy({ log });
  started.defer(() => egress.close());
  const ctx: AppContext = {
    config,
    addresses,
    log,
    security,
    db,
    transact,
    ic: createIcClient({
      icUrl: config.icUrl ?? network?.url ?? addresses.networkUrl,
      fallbackUrls: config.icFallbackUrls,
      identity,
      isMainnet: config.isMainnet,
      cyclesLedger: config.cyclesLedger,
      // With a network elsewhere there is no process here.
      embeddedSince: network?.since,
      time: network?.controls.time,
    }),
    embedded: network,
    failpoint: faultPointsOf(process.env),
    blobs,
    sealing: createSealing(keyring),
    jobs,
    notices,
    fence,
    callLimiter: new CallLimiter(config.calls, ratesFor(config, db, log)),
    git: git.door === undefined ? git.here : createRemoteHost(git.door, await Mirrors.open(config.dataDir)),
    egress,
    outsideGit: await createOutsideGit({
      ...config,
      caFile: config.gitCaFile,
      proxy: egress,
      connectedHost: config.github?.url,
    }),
    rust,
    github: config.github && (await createGitHub(config.github, config.gitCaFile)),
  };
  // Nobody else can be at work in the embedded database: what is marked as under way was cut off.
  const isAlone = config.databaseUrl === undefined;
  if (isAlone) {
    await transact(async (tx) => {
      await endAllActions(tx);
      await abandonAllIntents(tx);
      await endAllDeletions(tx);
    });
  }
  if (git.here !== undefined) await git.here.tidyUp(deploysOfRepositories(ctx));
  if (parts.repositories === 'here') await recordRepositories(ctx);
  // A start that fails half-way leaves connections as well.
  started.defer(() => jobs.stop());
  await jobs.start({ isAlone });
  if (parts.keepsHouse) keepHouse(ctx, started);
  if (network !== undefined && config.siteNames) {
    const teller = startTellingSiteNames(ctx, network);
    started.defer(() => teller.stop());
  }
  let worker: Worker | undefined;
  const works = parts.works === 'yes' || (parts.works === 'setting' && config.runsWorker);
  // It tells other processes what is wrong with its machine.
  if (works && !isAlone) {
    worker = await startWorker(ctx);
    const running = worker;
    started.defer(() => running.stop());
  }
  const toldOthers = !isAlone && (worker !== undefined || parts.serves === 'console');
  const warnings = toldOthers
    ? await sharedWarnings(ctx, worker, started)
    : () => worker?.warnings ?? NO_WARNINGS;
  const workerUp = (): boolean => worker?.healthy() ?? true;
  started.use(await startObserving(ctx, { network, workerUp: works ? workerUp : undefined }));
  if (parts.serves === 'console') {
    const app = await createApp(ctx, {
      server,
      consoleDir,
      git: git.door ?? git.here,
      signIn: await createSignIn(ctx, { localUrl: localUrl(config.host, port) }),
      workerUp,
      warnings,
    });
    started.defer(() => app.close());
  } else {
    const hosts = innerHosts(config);
    const app = createInnerApp({
      server,
      log,
      security,
      servesHost: (header) => hosts.find(header) !== undefined,
    });
    addHealth(app, ctx, () => workerUp() && (git.lease?.holds() ?? true));
    if (git.here !== undefined && git.lease !== undefined)
      await addDoor(app, ctx, { git: git.here, keys: doorKeysOf(keyring), lease: git.lease });
    started.defer(() => app.close());
    await app.ready();
  }
  if (works && isAlone) {
    worker = beginWorker(ctx, (error) => {
      log.error({ err: error }, 'the worker could not be started');
      lost.resolve(`The worker could not be started: ${textOf(error)}`);
    });
    const running = worker;
    started.defer(() => running.stop());
  }
  const drain = config.role === 'all' ? undefined : drainOf(server);

  const running = started.move();
  return {
    url: parts.serves === 'console' ? addresses.publicUrl : `http://${config.host}:${port}`,
    networkUrl: addresses.networkUrl,
    notes: [...describeNetwork(config, ctx.ic.principal), ...rustNotes(config.rust.toolchain, rust)],
    networkPid: () => network?.pid(),
    lost: lost.promise,
    async close() {
      await drain?.run(config.drainMs);
      await running.disposeAsync();
    },
  };
}

/** A process that lacks the key of its database opens what it can, and keeps no new secrets. */
function lacksKey(log: Logger, keyring: Keyring): Buffer {
  log.error(
    'The key that the secrets of this database are sealed with is not here (docs/operations/secrets.md)',
  );
  return keyring.keys().current;
}

interface OpenDatabase {
  readonly connection: Connection;
  /** With the tables of this version. */
  readonly db: Db;
}

/** Database and network start, and Rust is looked for, at the same time; when one fails, the others are ended again. */
async function startParts(
  config: Config,
  principal: string,
  log: Logger,
  started: AsyncDisposableStack,
): Promise<[OpenDatabase, NetworkProcess | undefined, RustToolchain | null]> {
  const database = async (): Promise<OpenDatabase> => {
    const connection = await reachable();
    const db = openDatabase(connection, config.databaseConnections);
    started.defer(() => db.destroy());
    await migrate(db);
    return { connection, db };
  };
  const reachable = async (): Promise<Connection> => {
    if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl };
    const postgres = await startPostgres({ dataDir: config.dataDir, log });
    started.defer(() => postgres.stop());
    return postgres.connection;
  };
  const network = async (): Promise<NetworkProcess | undefined> => {
    if (config.icUrl !== undefined || config.role !== 'all') return undefined;
    const child = await startNetwork({
      dataDir: join(config.dataDir, 'network'),
      host: config.host,
      port: config.networkPort,
      fees: config.networkFees,
      services: config.networkServices,
      candidUrl: candidUrlBefore(config),
      access: networkAccess(config, principal),
      log,
    });
    started.defer(() => child.stop());
    return child;
  };
  const search = { setting: config.rust.toolchain, dataDir: config.dataDir, env: process.env };
  const [first, second, third] = await Promise.allSettled([database(), network(), findRust(search)]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  if (third.status === 'rejected') throw third.reason;
  return [first.value, second.value, third.value];
}
