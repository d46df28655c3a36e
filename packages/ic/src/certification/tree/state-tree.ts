import { INGRESS_HISTORY_NANOS } from '../../limits.ts';
import type {
  CanisterLeaves,
  Metadata,
  RequestLeaf,
  RequestStatus,
  StateDelta,
  SubnetMetrics,
} from '../../state-leaves.ts';
import { encodeLeb128, hex, utf8 } from '../bytes.ts';
import { type KnownCanister, known } from './canister-tree.ts';
import { EMPTY, type HashTree, leaf } from './hash-tree.ts';
import { withMetrics } from './subnet-leaves.ts';
import { type Directory, directoryOf, removeEntry, setEntry } from './tree-directory.ts';

const TIME = utf8('time');
const CANISTER = utf8('canister');
const REQUEST_STATUS = utf8('request_status');

/** The certified state of the network, kept up to date from the deltas of the engine. */
export class StateTree {
  #fixed: Directory;
  readonly #subnetId: Uint8Array | undefined;
  /** Figures that the tree does not show yet. */
  #metrics: SubnetMetrics | undefined;
  readonly #canisters = new Map<string, KnownCanister>();
  readonly #requests = new Map<string, RequestLeaf>();
  readonly #finishWaiters = new Map<string, (() => void)[]>();
  #changeWaiters: (() => void)[] = [];
  #canisterDirectory: Directory = EMPTY;
  #requestDirectory: Directory = EMPTY;
  #version = 0;

  /** `fixed` holds what no delta changes (see `subnetDirectory`); `subnetId` says which subnet of it has the figures. */
  constructor(fixed: Directory, subnetId?: Uint8Array) {
    this.#fixed = fixed;
    this.#subnetId = subnetId;
  }

  /** Grows with every change, so that two equal versions mean the same state. */
  get version(): number {
    return this.#version;
  }

  /** The whole state tree as of `timeNanos` (Unix time). */
  rootAt(timeNanos: bigint): Directory {
    this.#showMetrics();
    const withCanisters = setEntry(this.#fixed, CANISTER, this.#canisterDirectory);
    const withRequests = setEntry(withCanisters, REQUEST_STATUS, this.#requestDirectory);
    return setEntry(withRequests, TIME, leaf(encodeLeb128(timeNanos)));
  }

  /** Takes over what the engine committed, and forgets requests that expired long before `nowNanos`. */
  apply(delta: StateDelta, nowNanos: bigint): void {
    for (const canister of delta.canisters) this.#setCanister(canister);
    for (const id of delta.deleted) this.#deleteCanister(id);
    for (const request of delta.requests) this.#setRequest(request);
    this.#metrics = delta.metrics ?? this.#metrics;
    this.#forgetRequests(nowNanos);
    this.#version += 1;
    const waiters = this.#changeWaiters;
    this.#changeWaiters = [];
    for (const wake of waiters) wake();
  }

  canister(id: Uint8Array): CanisterLeaves | undefined {
    return this.#canisters.get(hex(id))?.leaves;
  }

  /** How many canisters there are. */
  get canisterCount(): number {
    return this.#canisters.size;
  }

  /** At most `count` canisters, from the one at place `from` on; new ones are last. Takes as long as it is to that place. */
  canistersFrom(from: number, count: number): readonly CanisterLeaves[] {
    return this.#canisters
      .values()
      .drop(from)
      .take(count)
      .map(({ leaves }) => leaves)
      .toArray();
  }

  metadata(id: Uint8Array, name: string): Metadata | undefined {
    return this.#canisters.get(hex(id))?.metadata.find((entry) => entry.name === name);
  }

  request(id: Uint8Array): RequestLeaf | undefined {
    return this.#requests.get(hex(id));
  }

  /** Resolves when the request has an answer; never, if it has none. */
  finished(requestId: Uint8Array): Promise<void> {
    const key = hex(requestId);
    const known = this.#requests.get(key);
    if (known && isFinal(known)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#finishWaiters.get(key);
    if (waiters) waiters.push(resolve);
    else this.#finishWaiters.set(key, [resolve]);
    return promise;
  }

  /** Resolves at the next change of the state. */
  changed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changeWaiters.push(resolve);
    return promise;
  }

  #showMetrics(): void {
    if (this.#metrics && this.#subnetId)
      this.#fixed = withMetrics(this.#fixed, this.#subnetId, this.#metrics);
    this.#metrics = undefined;
  }

  #setCanister(leaves: CanisterLeaves): void {
    const key = hex(leaves.canisterId);
    const canister = known(leaves, this.#canisters.get(key));
    this.#canisters.set(key, canister);
    this.#canisterDirectory = setEntry(this.#canisterDirectory, leaves.canisterId, canister.tree);
  }

  #deleteCanister(id: Uint8Array): void {
    this.#canisters.delete(hex(id));
    this.#canisterDirectory = removeEntry(this.#canisterDirectory, id);
  }

  #setRequest(request: RequestLeaf): void {
    const key = hex(request.requestId);
    this.#requests.set(key, request);
    this.#requestDirectory = setEntry(this.#requestDirectory, request.requestId, requestTree(request));
    if (!isFinal(request)) return;
    for (const wake of this.#finishWaiters.get(key) ?? []) wake();
    this.#finishWaiters.delete(key);
  }

  /**
   * Requests are in the map in order of arrival and all live about equally long, so the old ones are first. One that
   * has no answer yet stays, however old it is.
   */
  #forgetRequests(nowNanos: bigint): void {
    for (const [key, request] of this.#requests) {
      if (request.expiryNanos + INGRESS_HISTORY_NANOS >= nowNanos) break;
      if (!isFinal(request)) continue;
      this.#requests.delete(key);
      this.#requestDirectory = removeEntry(this.#requestDirectory, request.requestId);
    }
  }
}

function isFinal(request: RequestLeaf): boolean {
  return request.status.status !== 'received' && request.status.status !== 'processing';
}

const REPLY = utf8('reply');
const REJECT_CODE = utf8('reject_code');
const REJECT_MESSAGE = utf8('reject_message');
const ERROR_CODE = utf8('error_code');
/** The entry with the status, one for all requests that have it: it is hashed once. */
const statusEntry = (status: RequestStatus['status']): Directory =>
  directoryOf([[utf8('status'), leaf(utf8(status))]]);
const STATUS: Readonly<Record<RequestStatus['status'], Directory>> = {
  received: statusEntry('received'),
  processing: statusEntry('processing'),
  replied: statusEntry('replied'),
  rejected: statusEntry('rejected'),
  done: statusEntry('done'),
};

function requestTree({ status }: RequestLeaf): HashTree {
  const tree = STATUS[status.status];
  if (status.status === 'replied') return setEntry(tree, REPLY, leaf(status.reply));
  if (status.status !== 'rejected') return tree;
  const withCode = setEntry(tree, REJECT_CODE, leaf(encodeLeb128(status.rejectCode)));
  const withMessage = setEntry(withCode, REJECT_MESSAGE, leaf(utf8(status.message)));
  return setEntry(withMessage, ERROR_CODE, leaf(utf8(status.errorCode)));
}
