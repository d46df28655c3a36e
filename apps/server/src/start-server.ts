import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { openBlobs } from './blobs/open-blobs.ts';
import { findRust, rustNotes, type RustToolchain } from './builders/sandbox/rust-toolchain.ts';
import { closeDataDir } from './data-dir/close-data-dir.ts';
import { addressesOf, type Config, configOf } from './config/config.ts';
import type { AppContext } from './context.ts';
import { describeNetwork } from './network/describe-network.ts';
import { type Connection, openDatabase } from './db/database.ts';
import { startPostgres } from './db/postgres/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { transactOn } from './db/tx.ts';
import { startEgressProxy } from './egress/egress-proxy.ts';
import { type EnvInput, readEnv } from './config/env.ts';
import { faultPointsOf } from './fault-points.ts';
import { abandonAllIntents } from './features/canister/payment/intents.ts';
import { endAllActions } from './features/canister/core/run-action.ts';
import { tellRepositories } from './features/live/tell-repositories.ts';
import { deploysOfRepositories, recordRepositories } from './features/repository/change-repository.ts';
import { startTellingSiteNames } from './features/deploy/publish/tell-site-names.ts';
import { endAllDeletions } from './features/deploy/settings/hold-for-deletion.ts';
import { startCollector } from './features/document/collect-unused.ts';
import { startSampler } from './features/canister/balance/balance-samples.ts';
import { sweepChanges } from './features/canister/change/sweep-changes.ts';
import { startSweeper, sweepIntents } from './features/canister/payment/sweep-intents.ts';
import { createSignIn } from './features/session/create-sign-in.ts';
import { runCause } from './features/deploy/store/run-changes.ts';
import { dappCause } from './features/marketplace/dapp-cause.ts';
import { startCleaner } from './features/session/clean-up.ts';
import { CallLimiter } from './fairness/call-limiter.ts';
import { createEmbeddedGitHost } from './git/host/embedded-host.ts';
import { createOutsideGit } from './git/outside/outside-git.ts';
import { createGitHub } from './github/github-client.ts';
import { createIcClient } from './ic/create-ic-client.ts';
import { loadServerIdentity } from './ic/agent/server-identity.ts';
import { loadSealing } from './sealing.ts';
import { createJobQueue } from './jobs/job-queue.ts';
import { openNotices } from './jobs/notices.ts';
import { openPaymentFence } from './jobs/payment-fence.ts';
import { listen } from './listen.ts';
import { lockDataDir } from './data-dir/data-lock.ts';
import { createLogger, type Logger } from './logger.ts';
import { type NetworkProcess, startNetwork } from './network/network-process.ts';
import { networkAccess } from './network/served-names.ts';
import { queues, startWorker, type Worker } from './worker.ts';

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
  /** Ends everything in good order; no child process stays. */
  close(): Promise<void>;
}

export interface StartOptions extends EnvInput {
  /** Folder of the built console, when it is not the one in this project. */
  readonly consoleDir?: string;
}

const CONSOLE_DIR = fileURLToPath(new URL('../../console/dist', import.meta.url));

/**
 * Starts the whole product in this process. Options override environment variables of the same name.
 * @throws StartError with a sentence for the operator
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { consoleDir = CONSOLE_DIR, ...given } = options;
  const config = configOf(readEnv({ ...process.env, ...given }));
  const failpoint = faultPointsOf(process.env);
  const log = createLogger(config);
  await using started = new AsyncDisposableStack();

  closeDataDir(config.dataDir);
  const lock = await lockDataDir(config.dataDir);
  started.defer(() => lock.release());
  const { server, port } = await listen(config.host, config.port);
  started.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );

  const identity = await loadServerIdentity(config.dataDir, config.identityFile);
  const [connection, network, rust] = await startParts(
    config,
    identity.getPrincipal().toText(),
    log,
    started,
  );
  const addresses = addressesOf(config, { port, networkPort: network?.port ?? config.networkPort });
  const db = openDatabase(connection);
  started.defer(() => db.destroy());
  await migrate(db);
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
    db,
    transact,
    ic: createIcClient({
      icUrl: config.icUrl ?? network?.url ?? addresses.networkUrl,
      identity,
      isMainnet: config.isMainnet,
      cyclesLedger: config.cyclesLedger,
      // With a network elsewhere there is no process here.
      embeddedSince: network?.since,
    }),
    failpoint,
    blobs: await openBlobs(config),
    sealing: await loadSealing(config.dataDir, config.secretsKeyFile),
    jobs,
    notices,
    fence,
    callLimiter: new CallLimiter(config.calls),
    git: createEmbeddedGitHost({
      dataDir: config.dataDir,
      publicUrl: () => addresses.publicUrl,
      limits: config.git,
      onChange: ({ id }) => {
        tellRepositories(db, id).catch((error: unknown) =>
          log.warn({ err: error }, 'a change of a repository was not told to open pages'),
        );
      },
    }),
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
  await ctx.git.tidyUp(deploysOfRepositories(ctx));
  await recordRepositories(ctx);
  // A start that fails half-way leaves connections as well.
  started.defer(() => jobs.stop());
  await jobs.start({ isAlone });
  const causes = { run: runCause, dapp: dappCause };
  const sweepers = [() => sweepIntents(ctx), () => sweepChanges(ctx, causes)].map((sweep) =>
    startSweeper(ctx, sweep),
  );
  started.defer(async () => {
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
  });
  const sampler = startSampler(ctx);
  started.defer(() => sampler.stop());
  const cleaner = startCleaner(ctx);
  started.defer(() => cleaner.stop());
  const collector = startCollector(ctx);
  started.defer(() => collector.stop());
  if (network !== undefined) {
    const teller = startTellingSiteNames(ctx, network);
    started.defer(() => teller.stop());
  }
  let worker: Worker | undefined;
  if (config.runsWorker) {
    worker = await startWorker(ctx);
    const running = worker;
    started.defer(() => running.stop());
  }
  const app = await createApp(ctx, {
    server,
    consoleDir,
    signIn: await createSignIn(ctx, { localUrl: `http://127.0.0.1:${port}` }),
    workerUp: () => worker?.healthy() ?? true,
    warnings: worker?.warnings ?? [],
  });
  started.defer(() => app.close());

  const running = started.move();
  return {
    url: addresses.publicUrl,
    networkUrl: addresses.networkUrl,
    notes: [...describeNetwork(config, ctx.ic.principal), ...rustNotes(config.rust.toolchain, rust)],
    networkPid: () => network?.pid(),
    close: () => running.disposeAsync(),
  };
}

/** Database and network start, and Rust is looked for, at the same time; when one fails, the others are ended again. */
async function startParts(
  config: Config,
  principal: string,
  log: Logger,
  started: AsyncDisposableStack,
): Promise<[Connection, NetworkProcess | undefined, RustToolchain | null]> {
  const database = async (): Promise<Connection> => {
    if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl };
    const postgres = await startPostgres({ dataDir: config.dataDir, log });
    started.defer(() => postgres.stop());
    return postgres.connection;
  };
  const network = async (): Promise<NetworkProcess | undefined> => {
    if (config.icUrl !== undefined) return undefined;
    const child = await startNetwork({
      dataDir: join(config.dataDir, 'network'),
      host: config.host,
      port: config.networkPort,
      fees: config.networkFees,
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
