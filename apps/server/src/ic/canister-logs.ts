import { IDL } from '@icp-sdk/core/candid';

/** A record of a canister's log: a printed line, or the trap that ended a message. */
export interface NetworkLogRecord {
  /** Counts on over everything the canister ever wrote. */
  readonly index: bigint;
  readonly timestampNanos: bigint;
  readonly content: Uint8Array;
}

/** `fetch_canister_logs_result` of ic.did, interface specification 0.66. */
const logsReply = IDL.Record({
  canister_log_records: IDL.Vec(
    IDL.Record({ idx: IDL.Nat64, timestamp_nanos: IDL.Nat64, content: IDL.Vec(IDL.Nat8) }),
  ),
});

/** Decodes a reply of `fetch_canister_logs`, oldest record first. */
export function decodeLogs(reply: Uint8Array): NetworkLogRecord[] {
  const [{ canister_log_records: records }] = IDL.decode([logsReply], reply) as unknown as [
    { canister_log_records: { idx: bigint; timestamp_nanos: bigint; content: Uint8Array }[] },
  ];
  return records.map(({ idx, timestamp_nanos: timestampNanos, content }) => ({
    index: idx,
    timestampNanos,
    content,
  }));
}
