import type { ExpirableStore, HttpAgentOptions } from '@icp-sdk/core/agent';

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
