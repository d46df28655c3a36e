import type { Config } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import type { NetworkProcess } from '../network/network-process.ts';

/** What a process has that can be watched; a role that lacks a part is not asked about it. */
export interface WatchedParts {
  readonly config: Pick<Config, 'dataDir' | 'metrics'>;
  readonly db?: AppContext['db'] | undefined;
  readonly ic?: Pick<AppContext['ic'], 'isUp' | 'ledgerBalance'> | undefined;
  readonly blobs?: Pick<AppContext['blobs'], 'has'> | undefined;
  /** The embedded network, where this process runs it. */
  readonly network?: Pick<NetworkProcess, 'figures'> | undefined;
  /** Whether jobs are taken, where this process takes any. */
  readonly workerUp?: (() => boolean) | undefined;
}
