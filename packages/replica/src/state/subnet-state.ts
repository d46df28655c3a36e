import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import { freshRandomness } from '../random.ts';
import type { Metadata, RequestLeaf } from '@cannery/ic/state-leaves';
import type { CallContext, Callback } from './call-context.ts';
import { Canister, type CanisterRecord, type EditableRecord } from './canister.ts';
import { canisterIdOf, type IdKey, idKey, MANAGEMENT_KEY, ordinalOf } from './canister-id.ts';
import type { CanisterLog } from './canister-log.ts';
import { decodeState, type StateStore, storeKeys } from './state-store.ts';
import { ForgottenExpiries, type Span } from './requests/forgotten-expiries.ts';
import type { History } from './history.ts';
import { IngressHistory, knownRequest } from './requests/ingress-history.ts';
import type { Queued, StoredMessage } from './message.ts';
import type { Outcall } from './outcall.ts';
import { applyProgress } from './progress.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import type { Snapshot } from './snapshot.ts';
import type { UndoLog } from './undo-log.ts';

/** Counters of the subnet; stored with every change. */
export interface SubnetRecord {
  nextOrdinal: bigint;
  /** The same for each range of IDs that canisters are made in, by the first ordinal of the range; see `peekFreeId`. */
  nextInRange: Readonly<Record<string, bigint>>;
  nextSequence: number;
  /** Time of the last commit; time never runs backwards over a restart. */
  timeNanos: bigint;
  /** `timeNanos` when the network was closed last; 0 where it never was. It is earlier than `timeNanos` while it runs, and once killed. */
  closedAtNanos: bigint;
  /** By how much time was set ahead of the wall clock. */
  timeOffsetNanos: bigint;
  /** Whether canisters may call out, as whoever has the network on this computer said last; undefined where nobody did. */
  outcallsOn: boolean | undefined;
  /** Expiries of requests that were forgotten. */
  forgotten: readonly Span[];
  /** Messages carried out since the subnet was created. */
  updateTransactions: number;
  /** Cycles that deleted canisters had paid, and what they had left. */
  consumedByDeleted: bigint;
}

/** An ID that no canister had. */
interface FreeId {
  readonly id: Uint8Array;
  readonly nextOrdinal: bigint;
  readonly rangeStart: bigint | undefined;
}

export const NEW_SUBNET: SubnetRecord = {
  nextOrdinal: FIRST_CANISTER_ORDINAL,
  nextInRange: {},
  nextSequence: 0,
  timeNanos: 0n,
  closedAtNanos: 0n,
  timeOffsetNanos: 0n,
  outcallsOn: undefined,
  forgotten: [],
  updateTransactions: 0,
  consumedByDeleted: 0n,
};

/** Everything the network knows, except heaps and stable memories, which are loaded on demand. */
export class SubnetState {
  /** A transaction that is abandoned puts it back as a whole. */
  readonly record: SubnetRecord;
  readonly managementQueue: Queued[] = [];
  readonly requests = new IngressHistory();
  /** Secret of this network, 32 bytes: the keys for signatures come from it. */
  readonly seed: Uint8Array;
  /** IDs of deleted canisters that were specified when they were created. */
  readonly #retired = new Set<IdKey>();
  readonly #canisters = new Map<IdKey, Canister>();
  readonly #outcalls = new Map<number, Outcall>();

  constructor(record: SubnetRecord, seed: Uint8Array) {
    this.record = record;
    this.seed = seed;
  }

  /**
   * Reads everything from the store; `onRequest` gets each request in full, of which memory keeps less. `newSeed` is the secret
   * of a network that has none yet; an unpredictable one where not given.
   */
  static load(
    store: StateStore,
    onRequest?: (id: string, leaf: RequestLeaf) => void,
    newSeed?: Uint8Array,
  ): SubnetState {
    const stored = store.get(storeKeys.subnet);
    const state = new SubnetState(
      { ...NEW_SUBNET, ...(stored && decodeState<Partial<SubnetRecord>>(stored)) },
      storedSeed(store, newSeed),
    );
    for (const key of store.keys(storeKeys.canisters)) {
      const record = storedCanister(store, key);
      if (record) state.adopt(storedWhole(store, record));
    }
    for (const key of store.keys(storeKeys.retiredIds))
      state.#retired.add(key.slice(storeKeys.retiredIds.length));
    state.#loadQueues(store);
    for (const key of store.keys(storeKeys.requests)) {
      const leaf = read<RequestLeaf>(store, key);
      if (!leaf) continue;
      const id = idKey(leaf.requestId);
      state.requests.load(id, knownRequest(leaf));
      onRequest?.(id, leaf);
    }
    for (const key of store.keys(storeKeys.outcalls)) {
      const outcall = read<Outcall>(store, key);
      if (outcall) state.#outcalls.set(outcall.id, outcall);
    }
    return state;
  }

  get canisters(): ReadonlyMap<IdKey, Canister> {
    return this.#canisters;
  }

  /** HTTP requests that are not answered yet. */
  get outcalls(): ReadonlyMap<number, Outcall> {
    return this.#outcalls;
  }

  /** Expiries of requests that were forgotten. */
  get forgotten(): ForgottenExpiries {
    return new ForgottenExpiries(this.record.forgotten);
  }

  /** Takes in a canister as it is stored: no transaction adds it. */
  adopt(canister: Canister): void {
    this.#canisters.set(canister.key, canister);
  }

  /** A number never given out before; it is kept with the next commit. */
  newSequence(): number {
    const sequence = this.record.nextSequence;
    this.record.nextSequence = sequence + 1;
    return sequence;
  }

  /** Notes the expiry of a request that is forgotten; it is kept with the next commit. */
  noteForgotten(expiryNanos: bigint): void {
    const { forgotten } = this;
    forgotten.add([expiryNanos]);
    this.record.forgotten = forgotten.spans;
  }

  find(id: Uint8Array): Canister | undefined {
    return this.canisters.get(idKey(id));
  }

  /** The input queue of a canister or of the management canister. */
  queueOf(key: IdKey): Queued[] | undefined {
    return key === MANAGEMENT_KEY ? this.managementQueue : this.canisters.get(key)?.queue;
  }

  /** The ID the next created canister gets, in the range that begins with this ordinal where one is given. */
  peekFreeId(rangeStart?: bigint): FreeId {
    const { nextOrdinal, nextInRange } = this.record;
    let ordinal = rangeStart === undefined ? nextOrdinal : (nextInRange[String(rangeStart)] ?? rangeStart);
    while (this.#isKnown(idKey(canisterIdOf(ordinal)))) ordinal += 1n;
    return { id: canisterIdOf(ordinal), nextOrdinal: ordinal + 1n, rangeStart };
  }

  /** The ID is given to a canister; it is kept with the next commit, and taken back with an abandoned one. */
  takeId({ nextOrdinal, rangeStart }: FreeId): void {
    if (rangeStart === undefined) this.record.nextOrdinal = nextOrdinal;
    else this.record.nextInRange = { ...this.record.nextInRange, [String(rangeStart)]: nextOrdinal };
  }

  /** Whether a canister had this ID that was deleted: an ID is never given out again. */
  isRetired(id: Uint8Array): boolean {
    return !this.canisters.has(idKey(id)) && (this.#retired.has(idKey(id)) || this.#isPassed(id));
  }

  /** A canister was deleted. True where this has to be stored, since the counter does not tell it. */
  retire(undo: UndoLog, id: Uint8Array): boolean {
    if (this.#isPassed(id)) return false;
    undo.add(this.#retired, idKey(id));
    return true;
  }

  #isKnown(key: IdKey): boolean {
    return this.canisters.has(key) || this.#retired.has(key);
  }

  /** The counter stops at each ID from the first on, and goes past it only when a canister has or had it. */
  #isPassed(id: Uint8Array): boolean {
    const ordinal = ordinalOf(id);
    return ordinal >= FIRST_CANISTER_ORDINAL && ordinal < this.record.nextOrdinal;
  }

  /** SHA-256 (hexadecimal) of every module and chunk in use. */
  usedBlobs(): Set<string> {
    const used = new Set<string>();
    for (const { chunks, record, snapshots } of this.canisters.values()) {
      for (const hash of chunks) used.add(hash);
      for (const snapshot of snapshots) {
        for (const hash of snapshot.chunks) used.add(hash);
        if (snapshot.moduleHash) used.add(Buffer.from(snapshot.moduleHash).toString('hex'));
      }
      if (record.code) used.add(Buffer.from(record.code.moduleHash).toString('hex'));
    }
    return used;
  }

  /** Puts the canister's record back as it is stored; the statistics of queries, which are stored later, stay. */
  reload(store: StateStore, { key, record }: Canister): void {
    const stored = storedCanister(store, storeKeys.canister(key));
    if (!stored) throw new Error('A canister that was never committed cannot be loaded again.');
    Object.assign(record, stored, { queryStatistics: record.queryStatistics });
  }

  #loadQueues(store: StateStore): void {
    const entries: { readonly owner: IdKey; readonly queued: Queued & { readonly sequence: number } }[] = [];
    for (const key of store.keys(storeKeys.queues)) {
      const message = read<StoredMessage>(store, key);
      const [owner = '', sequence = ''] = key.slice(storeKeys.queues.length).split('/');
      if (message) entries.push({ owner, queued: { sequence: Number(sequence), message } });
    }
    entries.sort((a, b) => a.queued.sequence - b.queued.sequence);
    for (const { owner, queued } of entries) this.queueOf(owner)?.push(queued);
  }
}

function storedCanister(store: StateStore, key: string): CanisterRecord | undefined {
  const record = read<EditableRecord>(store, key);
  const progress = record && store.get(storeKeys.progress(idKey(record.id)));
  if (progress) applyProgress(record, progress);
  // Those that it was stored without, by a version that did not know them, are as of a new canister.
  if (record) record.settings = { ...DEFAULT_SETTINGS, ...record.settings };
  return record;
}

/** The canister with all that is stored of it, but for its queue. */
function storedWhole(store: StateStore, record: CanisterRecord): Canister {
  const key = idKey(record.id);
  return new Canister(record, {
    metadata: read<Metadata[]>(store, storeKeys.metadata(key)),
    chunks: read<string[]>(store, storeKeys.chunks(key)),
    snapshots: read<Snapshot[]>(store, storeKeys.snapshots(key)),
    history: read<History>(store, storeKeys.history(key)),
    log: read<CanisterLog>(store, storeKeys.log(key)),
    callContexts: readNumbered<CallContext>(store, storeKeys.contexts(key)),
    callbacks: readNumbered<Callback>(store, storeKeys.callbacks(key)),
  });
}

function readNumbered<T extends { readonly id: number }>(store: StateStore, prefix: string): Map<number, T> {
  const entries = new Map<number, T>();
  for (const key of store.keys(prefix)) {
    const entry = read<T>(store, key);
    if (entry) entries.set(entry.id, entry);
  }
  return entries;
}

function read<T>(store: StateStore, key: string): T | undefined {
  const bytes = store.get(key);
  return bytes && decodeState<T>(bytes);
}

const SEED_BYTES = 32;

/** The secret of the network; made and stored when there is none yet. */
function storedSeed(store: StateStore, newSeed: Uint8Array | undefined): Uint8Array {
  const stored = store.get(storeKeys.seed);
  if (stored) return stored;
  const seed = newSeed ?? freshRandomness(SEED_BYTES);
  store.commit({
    puts: [[storeKeys.seed, seed]],
    deletes: [],
    pages: [],
    sizes: [],
    copySpaces: [],
    dropSpaces: [],
  });
  return seed;
}
