import { HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { isMainnet } from '../config.ts';
import { toAppError } from './ic-errors.ts';

/** Hands out the verifying agent; it is made on first use, since the network may come up later than the server. */
export interface AgentSource {
  get(): Promise<HttpAgent>;
}

/** @param icUrl address of the IC HTTP interface, without a slash at its end */
export function agentSource(icUrl: string, identity: Identity): AgentSource {
  let made: Promise<HttpAgent> | undefined;
  const make = async (): Promise<HttpAgent> => {
    const agent = HttpAgent.createSync({ host: icUrl, identity, retryTimes: 1 });
    // Any network but mainnet vouches for its own root key; mainnet's is built into the agent.
    if (!isMainnet(icUrl)) await agent.fetchRootKey();
    return agent;
  };
  return {
    get: () => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw toAppError(error);
      });
      return made;
    },
  };
}
