import { IDL } from '@icp-sdk/core/candid';

/** A record of a canister's log: a printed line, or the trap that ended a message. */
export interface NetworkLogRecord {
  /** Counts on over everything the canister ever wrote. */
  readonly index: bigint;
  readonly timestampNanos: bigint;
  readonly content: Uint8Array;
}

/** `fetch_canister_logs_result` of ic.did, interface specification 0.66. */
export const logsReply = IDL.Record({
  canister_log_records: IDL.Vec(
    IDL.Record({ idx: IDL.Nat64, timestamp_nanos: IDL.Nat64, content: IDL.Vec(IDL.Nat8) }),
  ),
});

/** The same, decoded. */
export interface LogsReply {
  readonly canister_log_records: readonly {
    readonly idx: bigint;
    readonly timestamp_nanos: bigint;
    readonly content: Uint8Array;
  }[];
}

/** The records of a reply of `fetch_canister_logs`, oldest first. */
export function logRecords({ canister_log_records: records }: LogsReply): NetworkLogRecord[] {
  return records.map(({ idx, timestamp_nanos: timestampNanos, content }) => ({
    index: idx,
    timestampNanos,
    content,
  }));
}
