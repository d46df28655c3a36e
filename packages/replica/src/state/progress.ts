import type { CanisterRecord } from './canister.ts';
import { idKey } from './canister-id.ts';
import { decodeState, encodeState } from './state-store.ts';

/**
 * The part of a canister's record that ordinary messages change. It is stored apart from the rest, which is several
 * times larger and slower to encode, after every message.
 */
interface Progress {
  readonly cycles: bigint;
  readonly reservedCycles: bigint;
  readonly paidUntilNanos: bigint;
  readonly version: bigint;
  /** Hexadecimal: text is encoded faster than byte arrays. */
  readonly certifiedData: string;
  readonly globalTimer: bigint;
  readonly lowMemoryHook: CanisterRecord['lowMemoryHook'];
  readonly heapPages: number;
  readonly globals: readonly (number | bigint)[];
  readonly stablePages: number;
  readonly nextCallContext: number;
  readonly nextCallback: number;
  readonly queryStatistics: CanisterRecord['queryStatistics'];
  readonly consumed: CanisterRecord['consumed'];
}

export function encodeProgress(record: CanisterRecord): Uint8Array {
  const progress: Progress = {
    cycles: record.cycles,
    reservedCycles: record.reservedCycles,
    paidUntilNanos: record.paidUntilNanos,
    version: record.version,
    certifiedData: idKey(record.certifiedData),
    globalTimer: record.globalTimer,
    lowMemoryHook: record.lowMemoryHook,
    heapPages: record.code?.heapPages ?? 0,
    globals: record.code?.globals ?? [],
    stablePages: record.stablePages,
    nextCallContext: record.nextCallContext,
    nextCallback: record.nextCallback,
    queryStatistics: record.queryStatistics,
    consumed: record.consumed,
  };
  return encodeState(progress);
}

/** Brings a record as it was last stored whole up to date. */
export function applyProgress(record: CanisterRecord, bytes: Uint8Array): void {
  const { heapPages, globals, certifiedData, ...rest } = decodeState<Progress>(bytes);
  Object.assign(record, rest, { certifiedData: new Uint8Array(Buffer.from(certifiedData, 'hex')) });
  if (record.code) Object.assign(record.code, { heapPages, globals });
}
