import type { Metadata, RequestStatus } from '@cannery/ic/state-leaves';
import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import type { CallContext, Callback } from '../../src/state/call-context.ts';
import { type Canister, newCanister } from '../../src/state/canister.ts';
import { canisterIdOf, idKey, MANAGEMENT_KEY } from '../../src/state/canister-id.ts';
import { StagedLog } from '../../src/state/canister-log.ts';
import type { Change } from '../../src/state/history.ts';
import type { Origin, StoredMessage } from '../../src/state/message.ts';
import type { Outcall } from '../../src/state/outcall.ts';
import { DEFAULT_SETTINGS } from '../../src/state/settings.ts';
import type { Snapshot } from '../../src/state/snapshot.ts';
import type { SubnetState } from '../../src/state/subnet-state.ts';
import type { Transaction } from '../../src/state/transaction.ts';
import type { Pick } from './pick.ts';

/** Uses a method of a transaction on something of the state, which must be filled. */
type Case = (tx: Transaction, pick: Pick) => void;

/** Methods that only note what is to be written; all others change memory. */
export const NOTING_METHODS: ReadonlySet<string> = new Set([
  'saveCanister',
  'saveProgress',
  'certify',
  'dropCode',
  'dropSpace',
  'copySpace',
  'releaseModule',
  'writePage',
  'resizeSpace',
  'consume',
]);

/** One case for each method of a transaction that changes anything. */
export const CASES: Readonly<Record<string, Case>> = {
  edit: (tx, pick) => change(tx, canisterOf(tx, pick), pick),
  saveCanister: (tx, pick) => tx.saveCanister(canisterOf(tx, pick)),
  saveProgress: (tx, pick) => tx.saveProgress(canisterOf(tx, pick)),
  setMetadata: (tx, pick) => tx.setMetadata(canisterOf(tx, pick), [metadataOf(pick)]),
  certify: (tx, pick) => tx.certify(canisterOf(tx, pick), pick.below(2) === 0),
  addCanister: (tx, pick) => addCanister(tx, pick),
  removeCanister: (tx, pick) => tx.removeCanister(canisterOf(tx, pick)),
  dropCode: (tx, pick) => tx.dropCode(canisterOf(tx, pick)),
  dropSpace: (tx, pick) => tx.dropSpace(canisterOf(tx, pick).heapSpace()),
  copySpace: (tx, pick) => tx.copySpace(canisterOf(tx, pick).heapSpace(), 'copy'),
  saveSnapshot(tx, pick) {
    const canister = canisterOf(tx, pick);
    tx.saveSnapshot(canister, snapshotOf(pick, pick.below(6)));
  },
  removeSnapshot(tx, pick) {
    const canister = canisterOf(tx, pick, ({ snapshots }) => snapshots.length > 0);
    tx.removeSnapshot(canister, pick.of(canister.snapshots));
  },
  addOutcall: (tx, pick) => tx.addOutcall(outcallOf(tx.state, pick)),
  removeOutcall(tx, pick) {
    if (tx.state.outcalls.size === 0) tx.addOutcall(outcallOf(tx.state, pick));
    tx.removeOutcall(pick.of(tx.state.outcalls.keys()));
  },
  releaseModule: (tx, pick) => tx.releaseModule(canisterOf(tx, pick)),
  writePage: (tx, pick) => tx.writePage(canisterOf(tx, pick).heapSpace(), pick.below(8), pick.bytes()),
  resizeSpace: (tx, pick) => tx.resizeSpace(canisterOf(tx, pick).heapSpace(), pick.below(8)),
  saveContext(tx, pick) {
    const canister = canisterOf(tx, pick);
    const ids = [...canister.callContexts.keys()];
    tx.saveContext(canister, contextOf(pick, pick.of([...ids, Math.max(-1, ...ids) + 1])));
  },
  removeContext(tx, pick) {
    const canister = canisterOf(tx, pick, ({ callContexts }) => callContexts.size > 0);
    tx.removeContext(canister, pick.of(canister.callContexts.keys()));
  },
  addCallback(tx, pick) {
    const canister = canisterOf(tx, pick);
    tx.addCallback(canister, callbackOf(pick, Math.max(-1, ...canister.callbacks.keys()) + 1));
  },
  removeCallback(tx, pick) {
    const canister = canisterOf(tx, pick, ({ callbacks }) => callbacks.size > 0);
    tx.removeCallback(canister, pick.of(canister.callbacks.keys()));
  },
  enqueue: (tx, pick) => tx.enqueue(pick.of([MANAGEMENT_KEY, ...keysOf(tx)]), messageOf(pick)),
  consume(tx, pick) {
    tx.consume(pick.of(keysOf(tx)), { sequence: pick.below(40), message: messageOf(pick) });
  },
  setRequest(tx, pick) {
    const id = pick.below(24);
    const expiryNanos = BigInt(pick.below(1_000)) * 1_000_000_000n;
    tx.setRequest({ ...parties(pick), requestId: Uint8Array.of(id), expiryNanos }, statusOf(pick));
  },
  forgetRequest(tx, pick) {
    const ids = [...tx.state.requests.keys()];
    tx.forgetRequest(ids.length > 0 ? pick.of(ids) : 'none');
  },
  addLines(tx, pick) {
    const staged = new StagedLog(1_000);
    staged.add({ timestampNanos: BigInt(pick.below(1_000)), content: pick.bytes(pick.below(300)) });
    tx.addLines(canisterOf(tx, pick), staged);
  },
  clearLog: (tx, pick) => tx.clearLog(canisterOf(tx, pick, ({ log }) => log.records.length > 0)),
  addChange: (tx, pick) => tx.addChange(canisterOf(tx, pick), changeOf(pick)),
  clearHistory: (tx, pick) =>
    tx.clearHistory(canisterOf(tx, pick, ({ history }) => history.recent.length > 0)),
  setChunks: (tx, pick) => tx.setChunks(canisterOf(tx, pick), [pick.hash(), pick.hash()]),
};

/** The canisters in an order that does not depend on when they were added. */
function keysOf(tx: Transaction): Canister['key'][] {
  return [...tx.state.canisters.keys()].toSorted();
}

/** One of the canisters, if there is one that suits; a new one of no use where there is none at all. */
function canisterOf(
  tx: Transaction,
  pick: Pick,
  suits: (canister: Canister) => boolean = () => true,
): Canister {
  const all = keysOf(tx).flatMap((key) => tx.state.canisters.get(key) ?? []);
  const suitable = all.filter(suits);
  if (suitable.length > 0) return pick.of(suitable);
  return all.length > 0 ? filled(tx, pick.of(all), pick) : filled(tx, addCanister(tx, pick), pick);
}

/** Adds a canister, now with the next ID and now with one that was asked for, as the management canister does. */
export function addCanister(tx: Transaction, pick: Pick, specified = pick.below(2) === 0): Canister {
  const { state } = tx;
  const next = state.peekFreeId();
  const wanted = [...Array(60).keys()]
    .map((n) => canisterIdOf(pick.below(2) === 0 ? BigInt(n) : FIRST_CANISTER_ORDINAL + BigInt(n)))
    .filter((id) => !state.find(id) && !state.isRetired(id));
  if (!specified) state.record.nextOrdinal = next.nextOrdinal;
  const canister = newCanister({
    id: specified ? pick.of(wanted) : next.id,
    createdAtNanos: tx.timeNanos,
    controllers: [pick.bytes()],
    settings: DEFAULT_SETTINGS,
    cycles: BigInt(pick.below(1_000_000)),
    reservedCycles: 5n,
    creationFee: 7n,
  });
  tx.addCanister(canister);
  return canister;
}

/** Gives a canister some of everything it can have. */
export function filled(tx: Transaction, canister: Canister, pick: Pick): Canister {
  change(tx, canister, pick);
  tx.saveCanister(canister);
  tx.setMetadata(canister, [metadataOf(pick), metadataOf(pick)]);
  tx.certify(canister, true);
  for (let n = 0; n < 3; n += 1) {
    tx.saveContext(canister, contextOf(pick, n));
    tx.addCallback(canister, callbackOf(pick, n));
    tx.saveSnapshot(canister, snapshotOf(pick, n));
    tx.addChange(canister, changeOf(pick));
    tx.enqueue(canister.key, messageOf(pick));
  }
  const staged = new StagedLog(1_000);
  staged.add({ timestampNanos: 1n, content: pick.bytes(20) });
  tx.addLines(canister, staged);
  tx.setChunks(canister, [pick.hash(), pick.hash(), pick.hash()]);
  return canister;
}

/** Changes what messages change of a record, and what the management canister does. */
export function change(tx: Transaction, canister: Canister, pick: Pick): void {
  const record = tx.edit(canister);
  record.cycles += 1n + BigInt(pick.below(1_000));
  record.version += 1n;
  record.consumed.instructions += BigInt(pick.below(1_000));
  record.certifiedData = pick.bytes();
  record.nextCallback += 3;
  record.stablePages += pick.below(3);
  record.settings = { ...record.settings, freezingThreshold: BigInt(pick.below(1_000)) };
  record.stopRequests = [{ origin: originOf(pick), cycles: 1n, deadlineNanos: BigInt(pick.below(1_000)) }];
  if (record.code && pick.below(2) === 0) {
    record.code.heapPages += 1;
    record.code.globals = [pick.below(1_000), 2n];
  } else {
    record.code = {
      moduleHash: pick.bytes(32),
      installedAtNanos: 1n,
      moduleBytes: pick.below(1_000),
      customSectionBytes: 0,
      memory64: false,
      exports: { heartbeat: false, globalTimer: false, onLowWasmMemory: false },
      heapPages: 1,
      globals: [1, 2n],
    };
  }
}

function parties(pick: Pick) {
  return { canisterId: pick.bytes(), sender: pick.bytes(), effectiveCanisterId: pick.bytes() };
}

function statusOf(pick: Pick): RequestStatus {
  return pick.of<RequestStatus>([
    { status: 'received' },
    { status: 'processing' },
    { status: 'done' },
    { status: 'replied', reply: pick.bytes(pick.below(50)) },
  ]);
}

function originOf(pick: Pick): Origin {
  return { kind: 'ingress', requestId: Uint8Array.of(pick.below(24)) };
}

export function messageOf(pick: Pick): StoredMessage {
  const caller = pick.bytes();
  return {
    kind: 'request',
    origin: originOf(pick),
    caller,
    method: 'm',
    arg: pick.bytes(),
    cycles: 0n,
    deadline: 9n,
  };
}

function contextOf(pick: Pick, id: number): CallContext {
  return {
    id,
    origin: originOf(pick),
    caller: pick.bytes(),
    deadline: 0n,
    cycles: BigInt(pick.below(1_000)),
    responded: false,
    deleted: false,
    outstanding: pick.below(5),
    instructions: 1n,
  };
}

function callbackOf(pick: Pick, id: number): Callback {
  const closure = { index: BigInt(pick.below(1_000)), environment: 2n };
  return {
    id,
    context: 0,
    callee: pick.bytes(),
    onReply: closure,
    onReject: closure,
    cyclesSent: 1n,
    prepaid: { transmission: 1n, execution: 2n },
    deadline: BigInt(pick.below(2)),
  };
}

function snapshotOf(pick: Pick, local: number): Snapshot {
  return {
    local,
    source: 'taken',
    takenAtNanos: BigInt(pick.below(1_000)),
    canisterVersion: 1n,
    moduleHash: pick.bytes(32),
    moduleBytes: 8,
    globals: [],
    heapPages: 1,
    stablePages: 0,
    certifiedData: pick.bytes(),
    globalTimer: undefined,
    lowMemoryHook: undefined,
    chunks: [pick.hash()],
  };
}

function outcallOf(state: SubnetState, pick: Pick): Outcall {
  return {
    id: state.newSequence(),
    origin: originOf(pick),
    canister: pick.bytes(),
    refund: 1n,
    url: 'https://example.org',
    method: 'GET',
    headers: [],
    body: pick.bytes(),
    maxResponseBytes: 10,
    transform: undefined,
  };
}

function metadataOf(pick: Pick): Metadata {
  return { name: idKey(pick.bytes()), visibility: 'public', content: pick.bytes() };
}

function changeOf(pick: Pick): Change {
  const origin = { kind: 'user', id: pick.bytes() } as const;
  return {
    timestampNanos: BigInt(pick.below(1_000)),
    canisterVersion: 1n,
    origin,
    details: { kind: 'uninstall' },
  };
}
