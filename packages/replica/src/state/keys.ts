import type { IdKey } from './canister-id.ts';

/** Names of the store's keys. Numbers are padded so that the order of keys is the order of numbers. */
const padded = (value: number): string => value.toString().padStart(16, '0');

export const storeKeys = {
  subnet: 'subnet',
  canisters: 'canister/',
  canister: (id: IdKey) => `canister/${id}`,
  progress: (id: IdKey) => `progress/${id}`,
  metadata: (id: IdKey) => `metadata/${id}`,
  history: (id: IdKey) => `history/${id}`,
  log: (id: IdKey) => `log/${id}`,
  chunks: (id: IdKey) => `chunks/${id}`,
  /** All snapshots of a canister in one value. */
  snapshots: (id: IdKey) => `snapshots/${id}`,
  outcalls: 'outcall/',
  outcall: (outcall: number) => `outcall/${padded(outcall)}`,
  /** Secret from which the keys for signatures are derived. */
  seed: 'seed',
  /** IDs of deleted canisters, see `SubnetState.retire`. */
  retiredIds: 'retired/',
  retired: (id: IdKey) => `retired/${id}`,
  queues: 'queue/',
  /** The management canister, whose ID is empty, has its queue under `queue//`. */
  queued: (id: IdKey, sequence: number) => `queue/${id}/${padded(sequence)}`,
  contexts: (id: IdKey) => `context/${id}/`,
  context: (id: IdKey, context: number) => `context/${id}/${padded(context)}`,
  callbacks: (id: IdKey) => `callback/${id}/`,
  callback: (id: IdKey, callback: number) => `callback/${id}/${padded(callback)}`,
  requests: 'request/',
  request: (requestIdHex: string) => `request/${requestIdHex}`,
} as const;
