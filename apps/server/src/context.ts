import type { BlobStore } from './blobs/blob-store.ts';
import type { RustToolchain } from './builders/sandbox/rust-toolchain.ts';
import type { Addresses, Config } from './config/config.ts';
import type { Db, Tx } from './db/tx.ts';
import type { EgressProxy } from './egress/egress-proxy.ts';
import type { Failpoint } from './fault-points.ts';
import type { CallLimiter } from './fairness/call-limiter.ts';
import type { OutsideGit } from './git/outside/outside-git.ts';
import type { RepositoryHost } from './git/repository/repository-host.ts';
import type { GitHub } from './github/github-client.ts';
import type { IcClient } from './ic/ic-client.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Notices } from './jobs/notices.ts';
import type { PaymentFence } from './jobs/payment-fence.ts';
import type { Logger } from './log/logger.ts';
import type { NetworkProcess } from './network/network-process.ts';
import type { Sealing } from './keyring/sealed-texts.ts';
import type { SecurityLog } from './security-log/security-log.ts';

export type { Actor, Caller } from './http/actor.ts';

/** What every use case gets: the decided configuration and the parts the server is made of. */
export interface AppContext {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly log: Logger;
  /** Who signs in, and what is refused to whom. */
  readonly security: SecurityLog;
  readonly db: Db;
  /** Runs work in one transaction; it is rolled back when the work throws. */
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly ic: IcClient;
  /** The embedded network; undefined with another one, and where another process runs it. */
  readonly embedded: Pick<NetworkProcess, 'port' | 'controls'> | undefined;
  /** Tells tests of crashes that a step is reached. */
  readonly failpoint: Failpoint;
  readonly blobs: BlobStore;
  /** Keeps secrets of tenants. */
  readonly sealing: Sealing;
  readonly jobs: JobQueue;
  /** News of other processes that work on the same database. */
  readonly notices: Notices;
  /** Where intents wait while a backup takes its moment. */
  readonly fence: PaymentFence;
  /** Repositories of the embedded git host, here or at a process of the role `git`. */
  readonly git: RepositoryHost;
  /** The only way to hosts outside for builds and for what is fetched at a user's word. */
  readonly egress: EgressProxy;
  /** How often a tenant may call, and whose turn it is. */
  readonly callLimiter: CallLimiter;
  /** Public repositories of other git hosts. */
  readonly outsideGit: OutsideGit;
  /** What compiles Rust canisters on this machine; null where nothing does. */
  readonly rust: RustToolchain | null;
  /** GitHub, where the operator has an app there; the users' repositories are then kept at GitHub. */
  readonly github: GitHub | undefined;
}
