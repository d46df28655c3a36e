import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { StartError } from '../errors.ts';
import { startTellingSiteNames } from '../features/deploy/publish/tell-site-names.ts';
import { loadServerIdentity } from '../ic/agent/server-identity.ts';
import type { Logger } from '../log/logger.ts';
import { type NetworkProcess, startNetwork } from '../network/network-process.ts';
import { networkAccess } from '../network/served-names.ts';

/**
 * Starts the embedded network alone, which needs no database. It needs no identity of the console either, but where that alone may make
 * cycles it is told who that is.
 * @throws StartError
 */
export async function startNetworkRole(config: Config, log: Logger): Promise<NetworkProcess> {
  if (config.icUrl !== undefined)
    throw new StartError('The role network is the network itself. Leave IC_URL out for it.');
  const { identityFile } = config;
  const principal =
    identityFile === undefined
      ? ''
      : (await loadServerIdentity(config.dataDir, identityFile)).getPrincipal().toText();
  const access = networkAccess(config, principal);
  if (access.provisional === '')
    throw new StartError(
      'This network is not on loopback only, and does not know who may make cycles. Set NETWORK_PROVISIONAL to the principal of the console (npm start -- --principal shows it there), or to open or off.',
    );
  return startNetwork({
    dataDir: join(config.dataDir, 'network'),
    host: config.host,
    port: config.networkPort,
    fees: config.networkFees,
    services: config.networkServices,
    // The console is elsewhere: only a setting says where.
    candidUrl: config.candidUrlSetting,
    access,
    log,
  });
}

/** Tells the network the names of sites, where it has any; this is all that it reads of the database. */
export function tellSiteNames(
  { siteNames, databaseUrl }: Config,
  network: NetworkProcess,
  log: Logger,
): AsyncDisposable {
  const told = new AsyncDisposableStack();
  if (!siteNames || databaseUrl === undefined) return told;
  const db = openDatabase({ connectionString: databaseUrl }, 1);
  told.defer(() => db.destroy());
  const teller = startTellingSiteNames({ db, log }, network);
  told.defer(() => teller.stop());
  return told;
}
