import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Argument and result types of the management canister, as in `ic.did` of interface specification 0.66. */

const { Nat, Nat64, Text, Null, Bool, Principal: Id } = IDL;
const Blob = IDL.Vec(IDL.Nat8);
const Opt = IDL.Opt;

export type Maybe<T> = [] | [T];

const Visibility = IDL.Variant({ controllers: Null, public: Null, allowed_viewers: IDL.Vec(Id) });
const Variable = IDL.Record({ name: Text, value: Text });

const settingsFields = {
  compute_allocation: Nat,
  memory_allocation: Nat,
  freezing_threshold: Nat,
  reserved_cycles_limit: Nat,
  minimum_incoming_canister_call_cycles: Nat,
  log_visibility: Visibility,
  log_memory_limit: Nat,
  snapshot_visibility: Visibility,
  status_visibility: Visibility,
  wasm_memory_limit: Nat,
  wasm_memory_threshold: Nat,
  environment_variables: IDL.Vec(Variable),
};

export type CandidVisibility = { controllers: null } | { public: null } | { allowed_viewers: Principal[] };

/** `canister_settings`: the fields that are present are to be set. */
export interface CandidSettings {
  controllers: Maybe<Principal[]>;
  compute_allocation: Maybe<bigint>;
  memory_allocation: Maybe<bigint>;
  freezing_threshold: Maybe<bigint>;
  reserved_cycles_limit: Maybe<bigint>;
  minimum_incoming_canister_call_cycles: Maybe<bigint>;
  log_visibility: Maybe<CandidVisibility>;
  log_memory_limit: Maybe<bigint>;
  snapshot_visibility: Maybe<CandidVisibility>;
  status_visibility: Maybe<CandidVisibility>;
  wasm_memory_limit: Maybe<bigint>;
  wasm_memory_threshold: Maybe<bigint>;
  environment_variables: Maybe<{ name: string; value: string }[]>;
}

const Settings = IDL.Record({
  controllers: Opt(IDL.Vec(Id)),
  ...Object.fromEntries(
    Object.entries<IDL.Type>(settingsFields).map(([name, type]) => [name, Opt(type)] as const),
  ),
});
const DefiniteSettings = IDL.Record({ controllers: IDL.Vec(Id), ...settingsFields });

const versioned = { sender_canister_version: Opt(Nat64) };
export interface Versioned {
  sender_canister_version: Maybe<bigint>;
}

export const CanisterIdRecord = IDL.Record({ canister_id: Id });
export interface CanisterIdArg {
  canister_id: Principal;
}

export const CreateCanisterArg = IDL.Record({ settings: Opt(Settings), ...versioned });
export interface CreateCanister extends Versioned {
  settings: Maybe<CandidSettings>;
}

export const ProvisionalCreateArg = IDL.Record({
  amount: Opt(Nat),
  settings: Opt(Settings),
  specified_id: Opt(Id),
  ...versioned,
});
export interface ProvisionalCreate extends CreateCanister {
  amount: Maybe<bigint>;
  specified_id: Maybe<Principal>;
}

export const ProvisionalTopUpArg = IDL.Record({ canister_id: Id, amount: Nat });
export interface ProvisionalTopUp extends CanisterIdArg {
  amount: bigint;
}

export const UpdateSettingsArg = IDL.Record({ canister_id: Id, settings: Settings, ...versioned });
export interface UpdateSettings extends CanisterIdArg, Versioned {
  settings: CandidSettings;
}

const Mode = IDL.Variant({
  install: Null,
  reinstall: Null,
  upgrade: Opt(
    IDL.Record({
      skip_pre_upgrade: Opt(Bool),
      wasm_memory_persistence: Opt(IDL.Variant({ keep: Null, replace: Null })),
    }),
  ),
});
export type CandidMode =
  | { install: null }
  | { reinstall: null }
  | {
      upgrade: Maybe<{
        skip_pre_upgrade: Maybe<boolean>;
        wasm_memory_persistence: Maybe<{ keep: null } | { replace: null }>;
      }>;
    };

export const InstallCodeArg = IDL.Record({
  mode: Mode,
  canister_id: Id,
  wasm_module: Blob,
  arg: Blob,
  ...versioned,
});
export interface InstallCode extends CanisterIdArg, Versioned {
  mode: CandidMode;
  wasm_module: Uint8Array;
  arg: Uint8Array;
}

export const InstallChunkedCodeArg = IDL.Record({
  mode: Mode,
  target_canister: Id,
  store_canister: Opt(Id),
  chunk_hashes_list: IDL.Vec(IDL.Record({ hash: Blob })),
  wasm_module_hash: Blob,
  arg: Blob,
  ...versioned,
});
export interface InstallChunkedCode extends Versioned {
  mode: CandidMode;
  target_canister: Principal;
  store_canister: Maybe<Principal>;
  chunk_hashes_list: { hash: Uint8Array }[];
  wasm_module_hash: Uint8Array;
  arg: Uint8Array;
}

export const UninstallCodeArg = IDL.Record({ canister_id: Id, ...versioned });
export type UninstallCode = CanisterIdArg & Versioned;

export const UploadChunkArg = IDL.Record({ canister_id: Id, chunk: Blob });
export interface UploadChunk extends CanisterIdArg {
  chunk: Uint8Array;
}
export const ChunkHash = IDL.Record({ hash: Blob });
export const ChunkHashes = IDL.Vec(ChunkHash);

export const CanisterStatusResult = IDL.Record({
  status: IDL.Variant({ running: Null, stopping: Null, stopped: Null }),
  ready_for_migration: Bool,
  version: Nat64,
  settings: DefiniteSettings,
  module_hash: Opt(Blob),
  memory_size: Nat,
  memory_metrics: IDL.Record({
    wasm_memory_size: Nat,
    stable_memory_size: Nat,
    global_memory_size: Nat,
    wasm_binary_size: Nat,
    custom_sections_size: Nat,
    canister_history_size: Nat,
    wasm_chunk_store_size: Nat,
    snapshots_size: Nat,
    log_memory_store_size: Nat,
  }),
  cycles: Nat,
  reserved_cycles: Nat,
  idle_cycles_burned_per_day: Nat,
  query_stats: IDL.Record({
    num_calls_total: Nat,
    num_instructions_total: Nat,
    request_payload_bytes_total: Nat,
    response_payload_bytes_total: Nat,
  }),
});

export const CanisterMetricsResult = IDL.Record({
  cycles_consumed: IDL.Record({
    memory: Nat,
    compute_allocation: Nat,
    ingress_induction: Nat,
    instructions: Nat,
    request_and_response_transmission: Nat,
    uninstall: Nat,
    canister_creation: Nat,
    http_outcalls: Nat,
    burned_cycles: Nat,
  }),
});

export const CanisterInfoArg = IDL.Record({ canister_id: Id, num_requested_changes: Opt(Nat64) });
export interface CanisterInfo extends CanisterIdArg {
  num_requested_changes: Maybe<bigint>;
}
const Change = IDL.Record({
  timestamp_nanos: Nat64,
  canister_version: Nat64,
  origin: IDL.Variant({
    from_user: IDL.Record({ user_id: Id }),
    from_canister: IDL.Record({ canister_id: Id, canister_version: Opt(Nat64) }),
  }),
  details: IDL.Variant({
    creation: IDL.Record({ controllers: IDL.Vec(Id), environment_variables_hash: Opt(Blob) }),
    code_uninstall: Null,
    code_deployment: IDL.Record({
      mode: IDL.Variant({ install: Null, reinstall: Null, upgrade: Null }),
      module_hash: Blob,
    }),
    load_snapshot: IDL.Record({
      from_canister_id: Opt(Id),
      snapshot_id: Blob,
      canister_version: Nat64,
      taken_at_timestamp: Nat64,
      source: IDL.Variant({ taken_from_canister: IDL.Reserved, metadata_upload: IDL.Reserved }),
    }),
    controllers_change: IDL.Record({ controllers: IDL.Vec(Id) }),
    rename_canister: IDL.Record({
      canister_id: Id,
      total_num_changes: Nat64,
      rename_to: IDL.Record({ canister_id: Id, version: Nat64, total_num_changes: Nat64 }),
      requested_by: Id,
    }),
  }),
});
export const CanisterInfoResult = IDL.Record({
  total_num_changes: Nat64,
  recent_changes: IDL.Vec(Change),
  module_hash: Opt(Blob),
  controllers: IDL.Vec(Id),
});

export const CanisterMetadataArg = IDL.Record({ canister_id: Id, name: Text });
export interface CanisterMetadata extends CanisterIdArg {
  name: string;
}
export const CanisterMetadataResult = IDL.Record({ value: Blob });

const Range = IDL.Record({ start: Nat64, end: Nat64 });
export const FetchLogsArg = IDL.Record({
  canister_id: Id,
  filter: Opt(IDL.Variant({ by_idx: Range, by_timestamp_nanos: Range })),
});
export interface FetchLogs extends CanisterIdArg {
  filter: Maybe<
    { by_idx: { start: bigint; end: bigint } } | { by_timestamp_nanos: { start: bigint; end: bigint } }
  >;
}
export const FetchLogsResult = IDL.Record({
  canister_log_records: IDL.Vec(IDL.Record({ idx: Nat64, timestamp_nanos: Nat64, content: Blob })),
});

export const BlobType = Blob;
