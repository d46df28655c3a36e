import { deserialize, serialize } from 'node:v8';
import type { IdKey } from './canister-id.ts';

/** What the engine needs of the durable store (`packages/store`): one atomic, ordered log of commits. */
export interface StateBatch {
  readonly puts: readonly (readonly [key: string, value: Uint8Array])[];
  readonly deletes: readonly string[];
  readonly pages: readonly { readonly space: string; readonly index: number; readonly bytes: Uint8Array }[];
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  /** Copied before anything else of the batch applies; the copies are new spaces. */
  readonly copySpaces: readonly { readonly from: string; readonly to: string }[];
  readonly dropSpaces: readonly string[];
}

export interface StateStore {
  get(key: string): Uint8Array | undefined;
  keys(prefix: string): Iterable<string>;
  getBlob(hash: string): Uint8Array | undefined;
  putBlob(bytes: Uint8Array): string;
  /** Consecutive pages (4 KiB) in one array; pages never written are zeros. */
  readPages(space: string, first: number, count: number): Uint8Array;
  commit(batch: StateBatch): number;
}

/** Encodes a value of the small state for the store. V8's format keeps bigints, typed arrays and undefined. */
export function encodeState(value: unknown): Uint8Array {
  return serialize(value);
}

/**
 * Decodes what `encodeState` wrote. The caller names the type: only this program writes these records.
 * Works on a copy, because the decoder returns views of its input.
 */
export function decodeState<T>(bytes: Uint8Array): T {
  return deserialize(Buffer.from(bytes)) as T;
}

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
