import {
  AnonymousIdentity,
  type ExpirableStore,
  HttpAgent,
  type HttpAgentOptions,
  type Identity,
  TrustError,
} from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { type NetworkClock, TimeInDoubtError } from '../../network/network-time.ts';
import { type RejectedCode, toAppError } from '../replies/ic-errors.ts';
import type { BoundaryNodes, NodeAgent } from './boundary-nodes.ts';
import { certifiedTime } from './certified.ts';
import { QueryAgent } from './query-agent.ts';
import { verifyCertificate } from './signature-thread.ts';

type NodeKeyStore = NonNullable<HttpAgentOptions['subnetNodeKeyExpirableStore']>;
type NodeKeys = NodeKeyStore extends ExpirableStore<infer Keys> ? Keys : never;

/** How long keys are used without being asked for again, as long as the agent itself would, in milliseconds. */
const LIFETIME_MS = 5 * 60_000;

/**
 * Keeps the keys that answers to queries are checked with for a network of one subnet, where they are the same for
 * every canister: the agent would fetch and verify them for each canister again. Keys that do not fit an answer are
 * dropped by the agent and fetched for its canister, so a network of more subnets still works.
 */
export function sharedNodeKeys(now: () => number = Date.now): NodeKeyStore {
  let shared: { readonly keys: NodeKeys; readonly until: number } | undefined;
  return {
    expirationTime: LIFETIME_MS,
    async get() {
      return shared !== undefined && now() < shared.until ? shared.keys : undefined;
    },
    async set(_target, keys) {
      shared = { keys, until: now() + LIFETIME_MS };
    },
    async delete() {
      shared = undefined;
    },
  };
}

/**
 * How long one request to the network may take, in milliseconds; the network answers a call within about ten seconds,
 * if only to say that it is not done, and a chunk of a module takes a while over a slow line.
 */
const REQUEST_TIMEOUT_MS = 60_000;
/** How long the network may take to certify its time, in milliseconds; the call that waits for it waits for more. */
const TIME_TIMEOUT_MS = 10_000;

/** Hands out the verifying agent; it is made on first use, since the network may come up later than the server. */
export interface AgentSource {
  /**
   * @param work is begun again where it finds that the network's time does not fit; must have no second effect
   * @throws AppError in the words of the network, whether the agent or the work fails
   */
  with<T>(work: (agent: NodeAgent) => Promise<T>, rejectedAs?: RejectedCode): Promise<T>;
  /**
   * The time of the network, in milliseconds since 1970: what is signed expires by it. The network is asked where this computer's clock was
   * set since it was last known.
   * @param near a canister whose part of the network is asked
   * @throws AppError network_unavailable
   */
  now(near: string): Promise<number>;
}

/**
 * @param options.nodes where the network is asked
 * @param options.isMainnet mainnet's root key is built into the agent; any other network vouches for its own, and is
 * asked again when its answers do not fit: a local network that was made again has another one
 * @param options.time of the network
 * @param options.timeoutMs after this a request without an answer counts as failed
 */
export function agentSource(options: {
  nodes: BoundaryNodes;
  identity: Identity;
  isMainnet: boolean;
  timeoutMs?: number;
  time: NetworkClock;
}): AgentSource {
  const { nodes, identity, isMainnet, timeoutMs = REQUEST_TIMEOUT_MS, time } = options;
  let made: Promise<NodeAgent> | undefined;
  const make = async (): Promise<NodeAgent> => {
    const settings: HttpAgentOptions = {
      host: nodes.host,
      identity,
      retryTimes: 1,
      fetch: (input, init) => nodes.fetch(input, init, { timeoutMs }),
      // Mainnet has many subnets, and none may speak for the canisters of another.
      subnetNodeKeyExpirableStore: isMainnet ? undefined : sharedNodeKeys(),
    };
    const agent = new QueryAgent(settings, time, nodes);
    if (!isMainnet) await agent.fetchRootKey();
    return agent;
  };
  const get = (): Promise<NodeAgent> => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  const attempt: AgentSource['with'] = async (work, rejectedAs) => {
    try {
      return await work(await get());
    } catch (error) {
      const failure = toAppError(error, rejectedAs);
      if (failure.cause instanceof TrustError && !isMainnet) {
        made = undefined;
        time.forget();
      }
      throw failure;
    }
  };
  const askTime = (near: string): Promise<void> =>
    time.ask(() => attempt((agent) => readTime(nodes, agent, near)));
  return {
    async with(work, rejectedAs) {
      try {
        return await attempt(work, rejectedAs);
      } catch (error) {
        if (!(error instanceof TimeInDoubtError)) throw error;
        time.doubt();
        await askTime(error.near);
        return attempt(work, rejectedAs);
      }
    },
    async now(near) {
      if (time.isInDoubt()) await askTime(near);
      return time.now();
    },
  };
}

/** The time that the network certifies. Who asks as nobody is answered whatever this computer's clock shows, and the age counts for nothing. */
async function readTime(nodes: BoundaryNodes, { rootKey }: HttpAgent, near: string): Promise<Date> {
  const nobody = HttpAgent.createSync({
    host: nodes.host,
    ...(rootKey === null ? {} : { rootKey }),
    identity: new AnonymousIdentity(),
    retryTimes: 0,
    fetch: (input, init) => nodes.fetch(input, init, { timeoutMs: TIME_TIMEOUT_MS }),
  });
  const { verifiedCertificate } = await nobody.readState(
    { canisterId: Principal.fromText(near) },
    { paths: [[Buffer.from('time')]], disableTimeVerification: true, blsVerify: verifyCertificate },
  );
  return certifiedTime(verifiedCertificate);
}
