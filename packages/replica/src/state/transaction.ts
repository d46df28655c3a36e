import type { Metadata, RequestLeaf, RequestStatus, StateDelta } from '@cannery/ic/state-leaves';
import type { CallContext, Callback } from './call-context.ts';
import { type Canister, type EditableRecord, recordCopy } from './canister.ts';
import { type IdKey, idKey } from './canister-id.ts';
import { type BoundedCall, type Committed, leavesOf } from './committed.ts';
import { type CanisterLog, type StagedLog, withLines } from './canister-log.ts';
import { encodeState, type StateStore, storeKeys } from './state-store.ts';
import { consumedInAll } from './consumed-cycles.ts';
import { type Change, type History, withChange } from './history.ts';
import { knownRequest } from './requests/ingress-history.ts';
import type { Queued, StoredMessage } from './message.ts';
import type { Outcall } from './outcall.ts';
import { encodeProgress } from './progress.ts';
import { type Snapshot, snapshotSpace } from './snapshot.ts';
import type { SubnetRecord, SubnetState } from './subnet-state.ts';
import { UndoLog } from './undo-log.ts';

/**
 * The effects of one message. Each method changes the state in memory at once and remembers what has to be written;
 * `commit` writes all of it as one record, `abandon` takes all of it back. Memory is changed through `#undo` only, and
 * everything but a record is read-only to others; a record is changed through `edit`. The message that a transaction
 * carries out was taken from its queue before, by the scheduler, which also puts it back.
 */
export class Transaction {
  readonly state: SubnetState;
  readonly timeNanos: bigint;
  readonly #store: StateStore;
  readonly #undo = new UndoLog();
  /** The counters as they were; few enough to be copied for every message. */
  readonly #subnetBefore: SubnetRecord;
  /** Canisters whose record was given out to be changed. */
  readonly #edited = new Set<Canister>();
  #isEnded = false;
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
    this.#subnetBefore = { ...state.record };
  }

  /**
   * The record of the canister, to be changed; what is to outlast a restart has to be saved too. A transaction that is
   * abandoned reads the record from the store again, so that nothing is copied for the many that are not.
   */
  edit(canister: Canister): EditableRecord {
    this.#edited.add(canister);
    if (canister.isAheadOfStore) {
      this.#undo.noteOnce(canister, () => {
        const before = recordCopy(canister.record);
        return () => Object.assign(canister.record, before);
      });
    }
    return canister.record as EditableRecord;
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

  /** Another module has other custom sections; `certify` shows them. */
  setMetadata(canister: Canister, metadata: readonly Metadata[]): void {
    this.#undo.replace(canister, 'metadata', metadata);
    this.#put(storeKeys.metadata(canister.key), () => encodeState(metadata));
  }

  /** What the state tree shows of the canister changed; `metadata`: also its custom sections. */
  certify(canister: Canister, metadata = false): void {
    const known = this.#leaves.get(canister.key);
    this.#leaves.set(canister.key, { canister, metadata: metadata || known?.metadata === true });
  }

  addCanister(canister: Canister): void {
    this.#undo.set(this.state.canisters, canister.key, canister);
    this.saveCanister(canister);
    this.certify(canister);
  }

  /** Removes a stopped canister with an empty queue, and with it everything stored about it. */
  removeCanister(canister: Canister): void {
    const { key } = canister;
    for (const hash of canister.chunks) this.#releasedBlobs.add(hash);
    for (const snapshot of canister.snapshots) this.removeSnapshot(canister, snapshot);
    this.dropCode(canister);
    this.#undo.delete(this.state.canisters, key, false);
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
    if (this.state.retire(this.#undo, canister.id))
      this.#put(storeKeys.retired(key), () => encodeState(true));
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
    this.#undo.replace(canister, 'snapshots', snapshots);
    if (snapshots.length === 0) this.#delete(storeKeys.snapshots(canister.key));
    else this.#put(storeKeys.snapshots(canister.key), () => encodeState(snapshots));
  }

  /** Records an HTTP request that is to be made once this transaction is committed. */
  addOutcall(outcall: Outcall): void {
    this.#undo.set(this.state.outcalls, outcall.id, outcall);
    this.#outcalls.push(outcall);
    this.#put(storeKeys.outcall(outcall.id), () => encodeState(outcall));
  }

  removeOutcall(id: number): void {
    if (this.#undo.delete(this.state.outcalls, id)) this.#delete(storeKeys.outcall(id));
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
    this.#undo.set(canister.callContexts, context.id, context);
    this.#put(storeKeys.context(canister.key, context.id), () => encodeState(context));
  }

  removeContext(canister: Canister, id: number): void {
    if (this.#undo.delete(canister.callContexts, id)) this.#delete(storeKeys.context(canister.key, id));
  }

  addCallback(canister: Canister, callback: Callback): void {
    this.#undo.set(canister.callbacks, callback.id, callback);
    if (callback.deadline > 0n) {
      this.#bounded.push({ canister, callback: callback.id, deadlineNanos: callback.deadline });
    }
    this.#put(storeKeys.callback(canister.key, callback.id), () => encodeState(callback));
  }

  removeCallback(canister: Canister, id: number): void {
    if (this.#undo.delete(canister.callbacks, id)) this.#delete(storeKeys.callback(canister.key, id));
  }

  /** Appends a message to the queue of `owner`; messages to a canister that is gone are dropped. */
  enqueue(owner: IdKey, message: StoredMessage): void {
    const queue = this.state.queueOf(owner);
    if (!queue) return;
    const sequence = this.state.newSequence();
    this.#undo.append(queue, { sequence, message });
    this.#put(storeKeys.queued(owner, sequence), () => encodeState(message));
    this.#woken.push(owner);
  }

  /**
   * Marks a message as done. The scheduler took it from its queue before the transaction began, so `abandon` does not put
   * it back: whoever took it does.
   */
  consume(owner: IdKey, queued: Queued): void {
    if (queued.sequence !== undefined) this.#delete(storeKeys.queued(owner, queued.sequence));
  }

  /** Records a request for the first time, or its new status. */
  setRequest(request: Omit<RequestLeaf, 'status'>, status: RequestStatus): void {
    const { requestId, canisterId, sender, effectiveCanisterId, expiryNanos } = request;
    const leaf: RequestLeaf = { requestId, canisterId, sender, effectiveCanisterId, expiryNanos, status };
    const hex = idKey(requestId);
    this.state.requests.set(this.#undo, hex, knownRequest(leaf));
    this.#put(storeKeys.request(hex), () => encodeState(leaf));
    this.#requests.push(leaf);
  }

  /** Forgets a request; that one with its expiry was forgotten stays known. */
  forgetRequest(requestIdHex: string): void {
    const known = this.state.requests.get(requestIdHex);
    if (known) this.state.noteForgotten(known.expiryNanos);
    this.state.requests.forget(this.#undo, requestIdHex);
    this.#delete(storeKeys.request(requestIdHex));
  }

  addLines(canister: Canister, staged: StagedLog): void {
    if (staged.lines.length === 0) return;
    const limit = Number(canister.record.settings.logMemoryLimit);
    this.#setLog(canister, withLines(canister.log, staged, limit));
  }

  clearLog(canister: Canister): void {
    this.#setLog(canister, { nextIndex: canister.log.nextIndex, records: [] });
  }

  #setLog(canister: Canister, log: CanisterLog): void {
    this.#undo.replace(canister, 'log', log);
    this.#put(storeKeys.log(canister.key), () => encodeState(log));
  }

  addChange(canister: Canister, change: Change): void {
    this.#setHistory(canister, withChange(canister.history, change));
  }

  /** Forgets the changes; how many there were stays known. */
  clearHistory(canister: Canister): void {
    this.#setHistory(canister, { ...canister.history, recent: [] });
  }

  #setHistory(canister: Canister, history: History): void {
    this.#undo.replace(canister, 'history', history);
    this.#put(storeKeys.history(canister.key), () => encodeState(history));
  }

  setChunks(canister: Canister, chunks: readonly string[]): void {
    for (const hash of canister.chunks) if (!chunks.includes(hash)) this.#releasedBlobs.add(hash);
    this.#undo.replace(canister, 'chunks', chunks);
    this.#put(storeKeys.chunks(canister.key), () => encodeState(chunks));
  }

  /** Writes everything as one record. A transaction that could not be written can still be abandoned. */
  commit(): Committed {
    this.#checkOpen();
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
    this.#isEnded = true;
    for (const canister of this.#edited) canister.isAheadOfStore = !this.#changed.has(canister);
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

  /** Makes memory what it was before the transaction began, instead of `commit`. */
  abandon(): void {
    this.#checkOpen();
    this.#isEnded = true;
    this.#undo.undo();
    Object.assign(this.state.record, this.#subnetBefore);
    for (const canister of this.#edited) {
      // One that this transaction added is gone; one that was ahead of the store is back already.
      const isStored = this.state.canisters.get(canister.key) === canister && !canister.isAheadOfStore;
      if (isStored) this.state.reload(this.#store, canister);
    }
  }

  #checkOpen(): void {
    if (this.#isEnded) throw new Error('A transaction ends once.');
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
