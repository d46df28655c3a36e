import { formatTrillions } from '@cannery/contract';
import { closeDataDir } from './data-dir/close-data-dir.ts';
import { configOf } from './config/config.ts';
import { localUrl } from './config/host-and-port.ts';
import { describeNetwork } from './network/describe-network.ts';
import { readEnv } from './config/env.ts';
import { textOf } from './errors.ts';
import { createIcClient } from './ic/create-ic-client.ts';
import { loadServerIdentity } from './ic/agent/server-identity.ts';

/**
 * The lines of --principal: the server's identity on the network, and what its account in the cycles ledger holds.
 * Works while the server runs and while it does not.
 * @throws StartError when options or the identity cannot be used
 */
export async function showPrincipal(): Promise<string[]> {
  const config = configOf(readEnv(process.env));
  closeDataDir(config.dataDir);
  const identity = await loadServerIdentity(config.dataDir, config.identityFile);
  const principal = identity.getPrincipal().toText();
  const { isMainnet, cyclesLedger } = config;
  if (cyclesLedger === undefined && config.icUrl === undefined)
    return [`Principal of this console: ${principal}`];
  const lines = describeNetwork(config, principal);
  if (cyclesLedger === undefined) return lines;
  // The embedded network runs while the server does.
  const icUrl = config.icUrl ?? localUrl(config.host, config.networkPort);
  try {
    const balance = await createIcClient({
      icUrl,
      fallbackUrls: config.icFallbackUrls,
      identity,
      isMainnet,
      cyclesLedger,
    }).ledgerBalance();
    return [...lines, `Balance in the cycles ledger: ${formatTrillions(balance ?? 0n)}`];
  } catch (error) {
    return [...lines, `Balance in the cycles ledger: not known (${textOf(error)})`];
  }
}
