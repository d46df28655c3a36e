import { settingsEndpoints } from '@cannery/contract';
import { HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { API_BASE } from '../config/env.ts';
import { createApiClient } from '../lib/api/api-client.ts';
import { isLocalNetwork } from './page-address.ts';

/** A network the page talks to. */
export interface Network {
  readonly url: string;
  /** Whether the network vouches for its own root key. */
  readonly isLocal: boolean;
  /** An agent that signs with an identity; without one its calls are anonymous. */
  readonly agentOf: (identity?: Identity) => HttpAgent;
}

/**
 * Connects to the network named in the address, else to the product's own (asked from the service).
 * Replies are verified against the network's root key.
 * @throws ApiError when the service does not say which network it uses
 */
export async function connect(host: string | undefined, signal: AbortSignal): Promise<Network> {
  if (host !== undefined) return network(host, isLocalNetwork(host));
  const client = createApiClient({ base: API_BASE, readToken: () => undefined });
  const config = await client.call(settingsEndpoints.config, { signal });
  return network(config.network_url, config.network_is_local);
}

function network(url: string, isLocal: boolean): Network {
  return {
    url,
    isLocal,
    agentOf: (identity) =>
      HttpAgent.createSync({
        host: url,
        ...(identity ? { identity } : {}),
        shouldFetchRootKey: isLocal,
        // A network that is down should be reported within seconds, not after a minute.
        retryTimes: 1,
      }),
  };
}
