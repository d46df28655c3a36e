import type { RequestLeaf, RequestStatus, StateDelta } from '../messages.ts';
import type { CallContext, Callback } from './call-context.ts';
import type { Canister } from './canister.ts';
import { type IdKey, idKey } from './canister-id.ts';
import { leavesOf } from './canister-leaves.ts';
import { type StagedLog, withLines } from './canister-log.ts';
import { decodeState, encodeState } from './codec.ts';
import type { BoundedCall, Committed } from './committed.ts';
import { consumedInAll } from './consumed-cycles.ts';
import { type Change, withChange } from './history.ts';
import { knownRequest } from './ingress-history.ts';
import { storeKeys } from './keys.ts';
import type { Queued, StoredMessage } from './message.ts';
import type { Outcall } from './outcall.ts';
import { encodeProgress } from './progress.ts';
import { type Snapshot, snapshotSpace } from './snapshot.ts';
import type { StateStore } from './state-store.ts';
import type { SubnetState } from './subnet-state.ts';

/**
 * The effects of one message. Each method changes the state in memory at once and remembers what has to be
 * written; `commit` writes all of it as one record. A transaction must therefore be opened only when the message
 * cannot fail any more, and must be committed.
 */
export class Transaction {
  readonly state: SubnetState;
  readonly timeNanos: bigint;
  readonly #store: StateStore;
  readonly #values = new Map<string, () => Uint8Array>();
  readonly #deletes = new Set<string>();
  readonly #pages: { space: string; index: number; bytes: Uint8Array }[] = [];
  readonly #sizes = new Map<string, number>();
  readonly #copySpaces: { from: string; to: string }[] = [];
  readonly #dropSpaces: string[] = [];
  readonly #releasedBlobs = new Set<string>();
  readonly #woken: IdKey[] = [];
  readonly #changed = new Set<Canister>();
  readonly #bounded: BoundedCall[] = [];
  readonly #outcalls: Outcall[] = [];
  readonly #leaves = new Map<IdKey, { canister: Canister; metadata: boolean }>();
  readonly #deleted: Uint8Array[] = [];
  readonly #requests: RequestLeaf[] = [];

  constructor(state: SubnetState, store: StateStore, timeNanos: bigint) {
    this.state = state;
    this.#store = store;
    this.timeNanos = timeNanos;
  }

  /** Any part of the canister's record changed. */
  saveCanister(canister: Canister): void {
    this.#put(storeKeys.canister(canister.key), () => encodeState(canister.record));
    this.saveProgress(canister);
  }

  /** Only what `Progress` holds changed: the usual case, a message. */
  saveProgress(canister: Canister): void {
    this.#changed.add(canister);
    this.#put(storeKeys.progress(canister.key), () => encodeProgress(canister.record));
  }

  /** What the state tree shows of the canister changed; `metadata`: also its custom sections. */
  certify(canister: Canister, metadata = false): void {
    const known = this.#leaves.get(canister.key);
    this.#leaves.set(canister.key, { canister, metadata: metadata || known?.metadata === true });
    if (metadata) this.#put(storeKeys.metadata(canister.key), () => encodeState(canister.metadata));
  }

  addCanister(canister: Canister): void {
    this.state.canisters.set(canister.key, canister);
    this.saveCanister(canister);
    this.certify(canister);
  }

  /** Removes a stopped canister with an empty queue, and with it everything stored about it. */
  removeCanister(canister: Canister): void {
    const { key } = canister;
    for (const hash of canister.chunks) this.#releasedBlobs.add(hash);
    for (const snapshot of canister.snapshots) this.removeSnapshot(canister, snapshot);
    this.dropCode(canister);
    this.state.canisters.delete(key);
    const { consumed, cycles, reservedCycles } = canister.record;
    this.state.record.consumedByDeleted += consumedInAll(consumed) + cycles + reservedCycles;
    this.#changed.delete(canister);
    for (const name of [
      storeKeys.canister(key),
      storeKeys.progress(key),
      storeKeys.metadata(key),
      storeKeys.history(key),
      storeKeys.log(key),
      storeKeys.chunks(key),
      storeKeys.snapshots(key),
    ]) {
      this.#delete(name);
    }
    if (this.state.retire(canister.id)) this.#put(storeKeys.retired(key), () => encodeState(true));
    this.#leaves.delete(key);
    this.#deleted.push(canister.id);
  }

  /** Drops heap, stable memory and module of the canister's current code; the record is the caller's to change. */
  dropCode(canister: Canister): void {
    this.dropSpace(canister.heapSpace());
    this.dropSpace(canister.stableSpace());
    this.releaseModule(canister);
  }

  dropSpace(space: string): void {
    this.#dropSpaces.push(space);
  }

  /** Makes `to` a copy of the committed pages of `from`, whatever else this transaction does to `from`. */
  copySpace(from: string, to: string): void {
    this.#copySpaces.push({ from, to });
  }

  /** Adds a snapshot, or puts a changed one in its place. */
  saveSnapshot(canister: Canister, snapshot: Snapshot): void {
    const others = canister.snapshots.filter(({ local }) => local !== snapshot.local);
    this.#setSnapshots(
      canister,
      [...others, snapshot].toSorted((a, b) => a.local - b.local),
    );
  }

  removeSnapshot(canister: Canister, snapshot: Snapshot): void {
    for (const area of ['heap', 'stable', 'module'] as const)
      this.dropSpace(snapshotSpace(canister.key, snapshot.local, area));
    if (snapshot.moduleHash) this.#releasedBlobs.add(Buffer.from(snapshot.moduleHash).toString('hex'));
    for (const hash of snapshot.chunks) this.#releasedBlobs.add(hash);
    this.#setSnapshots(
      canister,
      canister.snapshots.filter(({ local }) => local !== snapshot.local),
    );
  }

  #setSnapshots(canister: Canister, snapshots: readonly Snapshot[]): void {
    canister.snapshots = snapshots;
    if (snapshots.length === 0) this.#delete(storeKeys.snapshots(canister.key));
    else this.#put(storeKeys.snapshots(canister.key), () => encodeState(snapshots));
  }

  /** Records an HTTP request that is to be made once this transaction is committed. */
  addOutcall(outcall: Outcall): void {
    this.state.outcalls.set(outcall.id, outcall);
    this.#outcalls.push(outcall);
    this.#put(storeKeys.outcall(outcall.id), () => encodeState(outcall));
  }

  removeOutcall(id: number): void {
    if (this.state.outcalls.delete(id)) this.#delete(storeKeys.outcall(id));
  }

  /** The canister's module is replaced: its bytes may go away after the commit unless someone else uses them. */
  releaseModule(canister: Canister): void {
    const { code } = canister.record;
    if (code) this.#releasedBlobs.add(Buffer.from(code.moduleHash).toString('hex'));
  }

  /** Writes a page (4 KiB). The bytes are read at commit, which must come before the next execution. */
  writePage(space: string, index: number, bytes: Uint8Array): void {
    this.#pages.push({ space, index, bytes });
  }

  /** Size of a space in pages of 4 KiB. */
  resizeSpace(space: string, pages: number): void {
    this.#sizes.set(space, pages);
  }

  saveContext(canister: Canister, context: CallContext): void {
    canister.callContexts.set(context.id, context);
    this.#put(storeKeys.context(canister.key, context.id), () => encodeState(context));
  }

  removeContext(canister: Canister, id: number): void {
    if (canister.callContexts.delete(id)) this.#delete(storeKeys.context(canister.key, id));
  }

  addCallback(canister: Canister, callback: Callback): void {
    canister.callbacks.set(callback.id, callback);
    if (callback.deadline > 0n) {
      this.#bounded.push({ canister, callback: callback.id, deadlineNanos: callback.deadline });
    }
    this.#put(storeKeys.callback(canister.key, callback.id), () => encodeState(callback));
  }

  removeCallback(canister: Canister, id: number): void {
    if (canister.callbacks.delete(id)) this.#delete(storeKeys.callback(canister.key, id));
  }

  /** Appends a message to the queue of `owner`; messages to a canister that is gone are dropped. */
  enqueue(owner: IdKey, message: StoredMessage): void {
    const queue = this.state.queueOf(owner);
    if (!queue) return;
    const sequence = this.state.newSequence();
    queue.push({ sequence, message });
    this.#put(storeKeys.queued(owner, sequence), () => encodeState(message));
    this.#woken.push(owner);
  }

  /** Marks the message, already taken from its queue, as done. */
  consume(owner: IdKey, queued: Queued): void {
    if (queued.sequence !== undefined) this.#delete(storeKeys.queued(owner, queued.sequence));
  }

  /** Records a request for the first time, or its new status. */
  setRequest(request: Omit<RequestLeaf, 'status'>, status: RequestStatus): void {
    const { requestId, canisterId, sender, effectiveCanisterId, expiryNanos } = request;
    const leaf: RequestLeaf = { requestId, canisterId, sender, effectiveCanisterId, expiryNanos, status };
    const hex = idKey(requestId);
    this.state.requests.set(hex, knownRequest(leaf));
    this.#put(storeKeys.request(hex), () => encodeState(leaf));
    this.#requests.push(leaf);
  }

  forgetRequest(requestIdHex: string): void {
    this.#delete(storeKeys.request(requestIdHex));
  }

  addLines(canister: Canister, staged: StagedLog): void {
    if (staged.lines.length === 0) return;
    canister.log = withLines(canister.log, staged, Number(canister.record.settings.logMemoryLimit));
    this.#put(storeKeys.log(canister.key), () => encodeState(canister.log));
  }

  clearLog(canister: Canister): void {
    canister.log = { nextIndex: canister.log.nextIndex, records: [] };
    this.#put(storeKeys.log(canister.key), () => encodeState(canister.log));
  }

  addChange(canister: Canister, change: Change): void {
    canister.history = withChange(canister.history, change);
    this.#put(storeKeys.history(canister.key), () => encodeState(canister.history));
  }

  /** Forgets the changes; how many there were stays known. */
  clearHistory(canister: Canister): void {
    canister.history = { ...canister.history, recent: [] };
    this.#put(storeKeys.history(canister.key), () => encodeState(canister.history));
  }

  setChunks(canister: Canister, chunks: readonly string[]): void {
    for (const hash of canister.chunks) if (!chunks.includes(hash)) this.#releasedBlobs.add(hash);
    canister.chunks = chunks;
    this.#put(storeKeys.chunks(canister.key), () => encodeState(chunks));
  }

  commit(): Committed {
    const { record } = this.state;
    // A message that ran in a heavy worker is committed later than it began.
    if (this.timeNanos > record.timeNanos) record.timeNanos = this.timeNanos;
    this.#put(storeKeys.subnet, () => encodeState(this.state.record));
    const sequence = this.#store.commit({
      puts: [...this.#values].map(([key, value]) => [key, value()] as const),
      deletes: [...this.#deletes],
      pages: this.#pages,
      sizes: [...this.#sizes].map(([space, pages]) => ({ space, pages })),
      copySpaces: this.#copySpaces,
      dropSpaces: this.#dropSpaces,
    });
    return {
      sequence,
      releasedBlobs: [...this.#releasedBlobs],
      delta: this.#delta(),
      woken: this.#woken,
      changed: [...this.#changed],
      bounded: this.#bounded,
      outcalls: this.#outcalls,
    };
  }

  /** Takes back what the first part of a message changed in memory, instead of `commit`. `canister` is the one it is for. */
  abandon(canister: Canister | undefined): void {
    if (this.#deleted.length > 0) throw new Error('A deleted canister cannot come back.');
    for (const owner of this.#woken) this.state.queueOf(owner)?.pop();
    for (const { requestId } of this.#requests) {
      const stored = this.#store.get(storeKeys.request(idKey(requestId)));
      if (stored) this.state.requests.set(idKey(requestId), knownRequest(decodeState(stored)));
    }
    for (const each of new Set([...this.#changed, ...(canister ? [canister] : [])]))
      this.state.reload(this.#store, each);
  }

  #put(key: string, value: () => Uint8Array): void {
    this.#deletes.delete(key);
    this.#values.set(key, value);
  }

  #delete(key: string): void {
    this.#values.delete(key);
    this.#deletes.add(key);
  }

  #delta(): StateDelta {
    return {
      canisters: [...this.#leaves.values()].map(({ canister, metadata }) => leavesOf(canister, metadata)),
      deleted: this.#deleted,
      requests: this.#requests,
    };
  }
}
