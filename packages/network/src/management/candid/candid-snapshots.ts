import { IDL } from '@icp-sdk/core/candid';
import type { CanisterIdArg, Maybe, Versioned } from './candid-types.ts';

/** Argument and result types of the methods for canister snapshots, as in `ic.did` of interface specification 0.66. */

const { Nat, Nat64, Null, Bool, Principal: Id, Opt } = IDL;
const Blob = IDL.Vec(IDL.Nat8);

const SnapshotInfo = IDL.Record({ id: Blob, taken_at_timestamp: Nat64, total_size: Nat64 });
export const SnapshotInfos = IDL.Vec(SnapshotInfo);
export { SnapshotInfo as TakeSnapshotResult };

export const TakeSnapshotArg = IDL.Record({
  canister_id: Id,
  replace_snapshot: Opt(Blob),
  uninstall_code: Opt(Bool),
  sender_canister_version: Opt(Nat64),
});
export interface TakeSnapshot extends CanisterIdArg, Versioned {
  replace_snapshot: Maybe<Uint8Array>;
  uninstall_code: Maybe<boolean>;
}

export const LoadSnapshotArg = IDL.Record({
  canister_id: Id,
  snapshot_id: Blob,
  sender_canister_version: Opt(Nat64),
});
export interface LoadSnapshot extends CanisterIdArg, Versioned {
  snapshot_id: Uint8Array;
}

/** Names one snapshot of a canister. */
export const SnapshotArg = IDL.Record({ canister_id: Id, snapshot_id: Blob });
export interface SnapshotName extends CanisterIdArg {
  snapshot_id: Uint8Array;
}

const Globals = IDL.Vec(
  IDL.Variant({ i32: IDL.Int32, i64: IDL.Int64, f32: IDL.Float32, f64: IDL.Float64, v128: Nat }),
);
export type CandidGlobal =
  | { i32: number }
  | { i64: bigint }
  | { f32: number }
  | { f64: number }
  | { v128: bigint };

const Timer = IDL.Variant({ inactive: Null, active: Nat64 });
type CandidTimer = { inactive: null } | { active: bigint };
const HookStatus = IDL.Variant({ condition_not_satisfied: Null, ready: Null, executed: Null });
export type CandidHookStatus = { condition_not_satisfied: null } | { ready: null } | { executed: null };

const Source = IDL.Variant({ taken_from_canister: IDL.Reserved, metadata_upload: IDL.Reserved });

const stateFields = {
  wasm_module_size: Nat64,
  globals: Globals,
  wasm_memory_size: Nat64,
  stable_memory_size: Nat64,
  certified_data: Blob,
  global_timer: Opt(Timer),
  on_low_wasm_memory_hook_status: Opt(HookStatus),
};

export const ReadSnapshotMetadataResult = IDL.Record({
  ...stateFields,
  source: Source,
  taken_at_timestamp: Nat64,
  wasm_chunk_store: IDL.Vec(IDL.Record({ hash: Blob })),
  canister_version: Nat64,
});

export const UploadSnapshotMetadataArg = IDL.Record({
  ...stateFields,
  canister_id: Id,
  replace_snapshot: Opt(Blob),
});
export interface UploadSnapshotMetadata extends CanisterIdArg {
  replace_snapshot: Maybe<Uint8Array>;
  wasm_module_size: bigint;
  globals: CandidGlobal[];
  wasm_memory_size: bigint;
  stable_memory_size: bigint;
  certified_data: Uint8Array;
  global_timer: Maybe<CandidTimer>;
  on_low_wasm_memory_hook_status: Maybe<CandidHookStatus>;
}
export const UploadSnapshotMetadataResult = IDL.Record({ snapshot_id: Blob });

const Range = IDL.Record({ offset: Nat64, size: Nat64 });
interface CandidRange {
  offset: bigint;
  size: bigint;
}
export const ReadSnapshotDataArg = IDL.Record({
  canister_id: Id,
  snapshot_id: Blob,
  kind: IDL.Variant({
    wasm_module: Range,
    wasm_memory: Range,
    stable_memory: Range,
    wasm_chunk: IDL.Record({ hash: Blob }),
  }),
});
export interface ReadSnapshotData extends SnapshotName {
  kind:
    | { wasm_module: CandidRange }
    | { wasm_memory: CandidRange }
    | { stable_memory: CandidRange }
    | { wasm_chunk: { hash: Uint8Array } };
}
export const ReadSnapshotDataResult = IDL.Record({ chunk: Blob });

const Offset = IDL.Record({ offset: Nat64 });
export const UploadSnapshotDataArg = IDL.Record({
  canister_id: Id,
  snapshot_id: Blob,
  kind: IDL.Variant({
    wasm_module: Offset,
    wasm_memory: Offset,
    stable_memory: Offset,
    wasm_chunk: Null,
  }),
  chunk: Blob,
});
export interface UploadSnapshotData extends SnapshotName {
  kind:
    | { wasm_module: { offset: bigint } }
    | { wasm_memory: { offset: bigint } }
    | { stable_memory: { offset: bigint } }
    | { wasm_chunk: null };
  chunk: Uint8Array;
}
