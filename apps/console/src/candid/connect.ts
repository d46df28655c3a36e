import { settingsEndpoints } from '@cannery/contract';
import { HttpAgent } from '@icp-sdk/core/agent';
import { API_BASE } from '../config/env.ts';
import { createApiClient } from '../lib/api-client.ts';
import { isLocalNetwork } from './page-address.ts';

/** A network the page talks to. */
export interface Network {
  readonly url: string;
  readonly agent: HttpAgent;
}

/**
 * Connects to the network named in the address, else to the product's own (asked from the service).
 * Replies are verified against the network's root key. Calls are anonymous.
 * @throws ApiError when the service does not say which network it uses
 */
export async function connect(host: string | undefined, signal: AbortSignal): Promise<Network> {
  if (host !== undefined) return network(host, isLocalNetwork(host));
  const client = createApiClient({ base: API_BASE, readToken: () => undefined });
  const config = await client.call(settingsEndpoints.config, { signal });
  return network(config.network_url, config.network_is_local);
}

function network(url: string, isLocal: boolean): Network {
  // One retry: a network that is down should be reported within seconds, not after a minute.
  return { url, agent: HttpAgent.createSync({ host: url, shouldFetchRootKey: isLocal, retryTimes: 1 }) };
}
