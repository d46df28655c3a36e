// Made from ic.did by scripts/check-ic-did.ts --write.
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** Values of the named types of ic.did. */
export interface IcTypes {
  canister: {
    canister_id: Principal;
  };
  environment_variable: {
    name: string;
    value: string;
  };
  visibility: { controllers: null } | { public: null } | { allowed_viewers: Principal[] };
  canister_settings: {
    controllers: [] | [Principal[]];
    compute_allocation: [] | [bigint];
    memory_allocation: [] | [bigint];
    freezing_threshold: [] | [bigint];
    reserved_cycles_limit: [] | [bigint];
    minimum_incoming_canister_call_cycles: [] | [bigint];
    log_visibility: [] | [IcTypes['visibility']];
    log_memory_limit: [] | [bigint];
    snapshot_visibility: [] | [IcTypes['visibility']];
    status_visibility: [] | [IcTypes['visibility']];
    wasm_memory_limit: [] | [bigint];
    wasm_memory_threshold: [] | [bigint];
    environment_variables: [] | [IcTypes['environment_variable'][]];
  };
  definite_canister_settings: {
    controllers: Principal[];
    compute_allocation: bigint;
    memory_allocation: bigint;
    freezing_threshold: bigint;
    reserved_cycles_limit: bigint;
    minimum_incoming_canister_call_cycles: bigint;
    log_visibility: IcTypes['visibility'];
    log_memory_limit: bigint;
    snapshot_visibility: IcTypes['visibility'];
    status_visibility: IcTypes['visibility'];
    wasm_memory_limit: bigint;
    wasm_memory_threshold: bigint;
    environment_variables: IcTypes['environment_variable'][];
  };
  canister_install_mode: { install: null } | { reinstall: null } | { upgrade: [] | [{
      skip_pre_upgrade: [] | [boolean];
      wasm_memory_persistence: [] | [{ keep: null } | { replace: null }];
    }] };
  chunk_hash: {
    hash: Uint8Array;
  };
  change: {
    timestamp_nanos: bigint;
    canister_version: bigint;
    origin: { from_user: {
        user_id: Principal;
      } } | { from_canister: {
        canister_id: Principal;
        canister_version: [] | [bigint];
      } };
    details: { creation: {
        controllers: Principal[];
        environment_variables_hash: [] | [Uint8Array];
      } } | { code_uninstall: null } | { code_deployment: {
        mode: { install: null } | { reinstall: null } | { upgrade: null };
        module_hash: Uint8Array;
      } } | { load_snapshot: {
        from_canister_id: [] | [Principal];
        snapshot_id: Uint8Array;
        canister_version: bigint;
        taken_at_timestamp: bigint;
        source: { taken_from_canister: unknown } | { metadata_upload: unknown };
      } } | { controllers_change: {
        controllers: Principal[];
      } } | { rename_canister: {
        canister_id: Principal;
        total_num_changes: bigint;
        rename_to: {
          canister_id: Principal;
          version: bigint;
          total_num_changes: bigint;
        };
        requested_by: Principal;
      } };
  };
  snapshot: {
    id: Uint8Array;
    taken_at_timestamp: bigint;
    total_size: bigint;
  };
  snapshot_name: {
    canister_id: Principal;
    snapshot_id: Uint8Array;
  };
  global: { i32: number } | { i64: bigint } | { f32: number } | { f64: number } | { v128: bigint };
  global_timer: { inactive: null } | { active: bigint };
  on_low_wasm_memory_hook_status: { condition_not_satisfied: null } | { ready: null } | { executed: null };
  slice: {
    offset: bigint;
    size: bigint;
  };
  place: {
    offset: bigint;
  };
  ecdsa_key_id: {
    curve: { secp256k1: null };
    name: string;
  };
  schnorr_key_id: {
    algorithm: { bip340secp256k1: null } | { ed25519: null };
    name: string;
  };
  vetkd_key_id: {
    curve: { bls12_381_g2: null };
    name: string;
  };
  extended_public_key: {
    public_key: Uint8Array;
    chain_code: Uint8Array;
  };
  signature: {
    signature: Uint8Array;
  };
  http_header: {
    name: string;
    value: string;
  };
  http_request_result: {
    status: bigint;
    headers: IcTypes['http_header'][];
    body: Uint8Array;
  };
  http_transform_args: {
    response: IcTypes['http_request_result'];
    context: Uint8Array;
  };
  log_range: {
    start: bigint;
    end: bigint;
  };
  bitcoin_network: { mainnet: null } | { testnet: null };
}

/** Argument and result of each method of the management canister. */
export interface IcMethods {
  bitcoin_get_balance: {
    arg: {
      address: string;
      network: IcTypes['bitcoin_network'];
      min_confirmations: [] | [number];
    };
    result: bigint;
  };
  bitcoin_get_block_headers: {
    arg: {
      start_height: number;
      end_height: [] | [number];
      network: IcTypes['bitcoin_network'];
    };
    result: {
      tip_height: number;
      block_headers: Uint8Array[];
    };
  };
  bitcoin_get_current_fee_percentiles: {
    arg: {
      network: IcTypes['bitcoin_network'];
    };
    result: bigint[];
  };
  bitcoin_get_utxos: {
    arg: {
      address: string;
      network: IcTypes['bitcoin_network'];
      filter: [] | [{ min_confirmations: number } | { page: Uint8Array }];
    };
    result: {
      utxos: Array<{
        outpoint: {
          txid: Uint8Array;
          vout: number;
        };
        value: bigint;
        height: number;
      }>;
      tip_block_hash: Uint8Array;
      tip_height: number;
      next_page: [] | [Uint8Array];
    };
  };
  bitcoin_send_transaction: {
    arg: {
      transaction: Uint8Array;
      network: IcTypes['bitcoin_network'];
    };
    result: undefined;
  };
  canister_info: {
    arg: {
      canister_id: Principal;
      num_requested_changes: [] | [bigint];
    };
    result: {
      total_num_changes: bigint;
      recent_changes: IcTypes['change'][];
      module_hash: [] | [Uint8Array];
      controllers: Principal[];
    };
  };
  canister_metadata: {
    arg: {
      canister_id: Principal;
      name: string;
    };
    result: {
      value: Uint8Array;
    };
  };
  canister_metrics: {
    arg: IcTypes['canister'];
    result: {
      cycles_consumed: {
        memory: bigint;
        compute_allocation: bigint;
        ingress_induction: bigint;
        instructions: bigint;
        request_and_response_transmission: bigint;
        uninstall: bigint;
        canister_creation: bigint;
        http_outcalls: bigint;
        burned_cycles: bigint;
      };
    };
  };
  canister_status: {
    arg: IcTypes['canister'];
    result: {
      status: { running: null } | { stopping: null } | { stopped: null };
      ready_for_migration: boolean;
      version: bigint;
      settings: IcTypes['definite_canister_settings'];
      module_hash: [] | [Uint8Array];
      memory_size: bigint;
      memory_metrics: {
        wasm_memory_size: bigint;
        stable_memory_size: bigint;
        global_memory_size: bigint;
        wasm_binary_size: bigint;
        custom_sections_size: bigint;
        canister_history_size: bigint;
        wasm_chunk_store_size: bigint;
        snapshots_size: bigint;
        log_memory_store_size: bigint;
      };
      cycles: bigint;
      reserved_cycles: bigint;
      idle_cycles_burned_per_day: bigint;
      query_stats: {
        num_calls_total: bigint;
        num_instructions_total: bigint;
        request_payload_bytes_total: bigint;
        response_payload_bytes_total: bigint;
      };
    };
  };
  clear_chunk_store: {
    arg: IcTypes['canister'];
    result: undefined;
  };
  create_canister: {
    arg: {
      settings: [] | [IcTypes['canister_settings']];
      sender_canister_version: [] | [bigint];
    };
    result: IcTypes['canister'];
  };
  delete_canister: {
    arg: IcTypes['canister'];
    result: undefined;
  };
  delete_canister_snapshot: {
    arg: IcTypes['snapshot_name'];
    result: undefined;
  };
  deposit_cycles: {
    arg: IcTypes['canister'];
    result: undefined;
  };
  ecdsa_public_key: {
    arg: {
      canister_id: [] | [Principal];
      derivation_path: Uint8Array[];
      key_id: IcTypes['ecdsa_key_id'];
    };
    result: IcTypes['extended_public_key'];
  };
  fetch_canister_logs: {
    arg: {
      canister_id: Principal;
      filter: [] | [{ by_idx: IcTypes['log_range'] } | { by_timestamp_nanos: IcTypes['log_range'] }];
    };
    result: {
      canister_log_records: Array<{
        idx: bigint;
        timestamp_nanos: bigint;
        content: Uint8Array;
      }>;
    };
  };
  http_request: {
    arg: {
      url: string;
      max_response_bytes: [] | [bigint];
      method: { get: null } | { head: null } | { post: null } | { put: null } | { delete: null } | { patch: null };
      headers: IcTypes['http_header'][];
      body: [] | [Uint8Array];
      transform: [] | [{
        function: [Principal, string];
        context: Uint8Array;
      }];
      is_replicated: [] | [boolean];
    };
    result: IcTypes['http_request_result'];
  };
  install_chunked_code: {
    arg: {
      mode: IcTypes['canister_install_mode'];
      target_canister: Principal;
      store_canister: [] | [Principal];
      chunk_hashes_list: IcTypes['chunk_hash'][];
      wasm_module_hash: Uint8Array;
      arg: Uint8Array;
      sender_canister_version: [] | [bigint];
    };
    result: undefined;
  };
  install_code: {
    arg: {
      mode: IcTypes['canister_install_mode'];
      canister_id: Principal;
      wasm_module: Uint8Array;
      arg: Uint8Array;
      sender_canister_version: [] | [bigint];
    };
    result: undefined;
  };
  list_canister_snapshots: {
    arg: IcTypes['canister'];
    result: IcTypes['snapshot'][];
  };
  list_canisters: {
    arg: undefined;
    result: {
      canisters: Array<{
        start: Principal;
        end: Principal;
      }>;
    };
  };
  load_canister_snapshot: {
    arg: {
      canister_id: Principal;
      snapshot_id: Uint8Array;
      sender_canister_version: [] | [bigint];
    };
    result: undefined;
  };
  node_metrics_history: {
    arg: {
      subnet_id: Principal;
      start_at_timestamp_nanos: bigint;
    };
    result: Array<{
      timestamp_nanos: bigint;
      node_metrics: Array<{
        node_id: Principal;
        num_blocks_proposed_total: bigint;
        num_block_failures_total: bigint;
      }>;
    }>;
  };
  provisional_create_canister_with_cycles: {
    arg: {
      amount: [] | [bigint];
      settings: [] | [IcTypes['canister_settings']];
      specified_id: [] | [Principal];
      sender_canister_version: [] | [bigint];
    };
    result: IcTypes['canister'];
  };
  provisional_top_up_canister: {
    arg: {
      canister_id: Principal;
      amount: bigint;
    };
    result: undefined;
  };
  raw_rand: {
    arg: undefined;
    result: Uint8Array;
  };
  read_canister_snapshot_data: {
    arg: {
      canister_id: Principal;
      snapshot_id: Uint8Array;
      kind: { wasm_module: IcTypes['slice'] } | { wasm_memory: IcTypes['slice'] } | { stable_memory: IcTypes['slice'] } | { wasm_chunk: IcTypes['chunk_hash'] };
    };
    result: {
      chunk: Uint8Array;
    };
  };
  read_canister_snapshot_metadata: {
    arg: IcTypes['snapshot_name'];
    result: {
      source: { taken_from_canister: unknown } | { metadata_upload: unknown };
      taken_at_timestamp: bigint;
      wasm_module_size: bigint;
      globals: IcTypes['global'][];
      wasm_memory_size: bigint;
      stable_memory_size: bigint;
      wasm_chunk_store: IcTypes['chunk_hash'][];
      canister_version: bigint;
      certified_data: Uint8Array;
      global_timer: [] | [IcTypes['global_timer']];
      on_low_wasm_memory_hook_status: [] | [IcTypes['on_low_wasm_memory_hook_status']];
    };
  };
  schnorr_public_key: {
    arg: {
      canister_id: [] | [Principal];
      derivation_path: Uint8Array[];
      key_id: IcTypes['schnorr_key_id'];
    };
    result: IcTypes['extended_public_key'];
  };
  sign_with_ecdsa: {
    arg: {
      message_hash: Uint8Array;
      derivation_path: Uint8Array[];
      key_id: IcTypes['ecdsa_key_id'];
    };
    result: IcTypes['signature'];
  };
  sign_with_schnorr: {
    arg: {
      message: Uint8Array;
      derivation_path: Uint8Array[];
      key_id: IcTypes['schnorr_key_id'];
      aux: [] | [{ bip341: {
          merkle_root_hash: Uint8Array;
        } }];
    };
    result: IcTypes['signature'];
  };
  start_canister: {
    arg: IcTypes['canister'];
    result: undefined;
  };
  stop_canister: {
    arg: IcTypes['canister'];
    result: undefined;
  };
  stored_chunks: {
    arg: IcTypes['canister'];
    result: IcTypes['chunk_hash'][];
  };
  subnet_info: {
    arg: {
      subnet_id: Principal;
    };
    result: {
      replica_version: string;
      registry_version: bigint;
    };
  };
  take_canister_snapshot: {
    arg: {
      canister_id: Principal;
      replace_snapshot: [] | [Uint8Array];
      uninstall_code: [] | [boolean];
      sender_canister_version: [] | [bigint];
    };
    result: IcTypes['snapshot'];
  };
  uninstall_code: {
    arg: {
      canister_id: Principal;
      sender_canister_version: [] | [bigint];
    };
    result: undefined;
  };
  update_settings: {
    arg: {
      canister_id: Principal;
      settings: IcTypes['canister_settings'];
      sender_canister_version: [] | [bigint];
    };
    result: undefined;
  };
  upload_canister_snapshot_data: {
    arg: {
      canister_id: Principal;
      snapshot_id: Uint8Array;
      kind: { wasm_module: IcTypes['place'] } | { wasm_memory: IcTypes['place'] } | { stable_memory: IcTypes['place'] } | { wasm_chunk: null };
      chunk: Uint8Array;
    };
    result: undefined;
  };
  upload_canister_snapshot_metadata: {
    arg: {
      canister_id: Principal;
      replace_snapshot: [] | [Uint8Array];
      wasm_module_size: bigint;
      globals: IcTypes['global'][];
      wasm_memory_size: bigint;
      stable_memory_size: bigint;
      certified_data: Uint8Array;
      global_timer: [] | [IcTypes['global_timer']];
      on_low_wasm_memory_hook_status: [] | [IcTypes['on_low_wasm_memory_hook_status']];
    };
    result: {
      snapshot_id: Uint8Array;
    };
  };
  upload_chunk: {
    arg: {
      canister_id: Principal;
      chunk: Uint8Array;
    };
    result: IcTypes['chunk_hash'];
  };
  vetkd_derive_key: {
    arg: {
      input: Uint8Array;
      context: Uint8Array;
      transport_public_key: Uint8Array;
      key_id: IcTypes['vetkd_key_id'];
    };
    result: {
      encrypted_key: Uint8Array;
    };
  };
  vetkd_public_key: {
    arg: {
      canister_id: [] | [Principal];
      context: Uint8Array;
      key_id: IcTypes['vetkd_key_id'];
    };
    result: {
      public_key: Uint8Array;
    };
  };
}

const canister = IDL.Record({
  canister_id: IDL.Principal,
});
const environment_variable = IDL.Record({
  name: IDL.Text,
  value: IDL.Text,
});
const visibility = IDL.Variant({
  controllers: IDL.Null,
  public: IDL.Null,
  allowed_viewers: IDL.Vec(IDL.Principal),
});
const canister_settings = IDL.Record({
  controllers: IDL.Opt(IDL.Vec(IDL.Principal)),
  compute_allocation: IDL.Opt(IDL.Nat),
  memory_allocation: IDL.Opt(IDL.Nat),
  freezing_threshold: IDL.Opt(IDL.Nat),
  reserved_cycles_limit: IDL.Opt(IDL.Nat),
  minimum_incoming_canister_call_cycles: IDL.Opt(IDL.Nat),
  log_visibility: IDL.Opt(visibility),
  log_memory_limit: IDL.Opt(IDL.Nat),
  snapshot_visibility: IDL.Opt(visibility),
  status_visibility: IDL.Opt(visibility),
  wasm_memory_limit: IDL.Opt(IDL.Nat),
  wasm_memory_threshold: IDL.Opt(IDL.Nat),
  environment_variables: IDL.Opt(IDL.Vec(environment_variable)),
});
const definite_canister_settings = IDL.Record({
  controllers: IDL.Vec(IDL.Principal),
  compute_allocation: IDL.Nat,
  memory_allocation: IDL.Nat,
  freezing_threshold: IDL.Nat,
  reserved_cycles_limit: IDL.Nat,
  minimum_incoming_canister_call_cycles: IDL.Nat,
  log_visibility: visibility,
  log_memory_limit: IDL.Nat,
  snapshot_visibility: visibility,
  status_visibility: visibility,
  wasm_memory_limit: IDL.Nat,
  wasm_memory_threshold: IDL.Nat,
  environment_variables: IDL.Vec(environment_variable),
});
const canister_install_mode = IDL.Variant({
  install: IDL.Null,
  reinstall: IDL.Null,
  upgrade: IDL.Opt(IDL.Record({
    skip_pre_upgrade: IDL.Opt(IDL.Bool),
    wasm_memory_persistence: IDL.Opt(IDL.Variant({
      keep: IDL.Null,
      replace: IDL.Null,
    })),
  })),
});
const chunk_hash = IDL.Record({
  hash: IDL.Vec(IDL.Nat8),
});
const change = IDL.Record({
  timestamp_nanos: IDL.Nat64,
  canister_version: IDL.Nat64,
  origin: IDL.Variant({
    from_user: IDL.Record({
      user_id: IDL.Principal,
    }),
    from_canister: IDL.Record({
      canister_id: IDL.Principal,
      canister_version: IDL.Opt(IDL.Nat64),
    }),
  }),
  details: IDL.Variant({
    creation: IDL.Record({
      controllers: IDL.Vec(IDL.Principal),
      environment_variables_hash: IDL.Opt(IDL.Vec(IDL.Nat8)),
    }),
    code_uninstall: IDL.Null,
    code_deployment: IDL.Record({
      mode: IDL.Variant({
        install: IDL.Null,
        reinstall: IDL.Null,
        upgrade: IDL.Null,
      }),
      module_hash: IDL.Vec(IDL.Nat8),
    }),
    load_snapshot: IDL.Record({
      from_canister_id: IDL.Opt(IDL.Principal),
      snapshot_id: IDL.Vec(IDL.Nat8),
      canister_version: IDL.Nat64,
      taken_at_timestamp: IDL.Nat64,
      source: IDL.Variant({
        taken_from_canister: IDL.Reserved,
        metadata_upload: IDL.Reserved,
      }),
    }),
    controllers_change: IDL.Record({
      controllers: IDL.Vec(IDL.Principal),
    }),
    rename_canister: IDL.Record({
      canister_id: IDL.Principal,
      total_num_changes: IDL.Nat64,
      rename_to: IDL.Record({
        canister_id: IDL.Principal,
        version: IDL.Nat64,
        total_num_changes: IDL.Nat64,
      }),
      requested_by: IDL.Principal,
    }),
  }),
});
const snapshot = IDL.Record({
  id: IDL.Vec(IDL.Nat8),
  taken_at_timestamp: IDL.Nat64,
  total_size: IDL.Nat64,
});
const snapshot_name = IDL.Record({
  canister_id: IDL.Principal,
  snapshot_id: IDL.Vec(IDL.Nat8),
});
const global = IDL.Variant({
  i32: IDL.Int32,
  i64: IDL.Int64,
  f32: IDL.Float32,
  f64: IDL.Float64,
  v128: IDL.Nat,
});
const global_timer = IDL.Variant({
  inactive: IDL.Null,
  active: IDL.Nat64,
});
const on_low_wasm_memory_hook_status = IDL.Variant({
  condition_not_satisfied: IDL.Null,
  ready: IDL.Null,
  executed: IDL.Null,
});
const slice = IDL.Record({
  offset: IDL.Nat64,
  size: IDL.Nat64,
});
const place = IDL.Record({
  offset: IDL.Nat64,
});
const ecdsa_key_id = IDL.Record({
  curve: IDL.Variant({
    secp256k1: IDL.Null,
  }),
  name: IDL.Text,
});
const schnorr_key_id = IDL.Record({
  algorithm: IDL.Variant({
    bip340secp256k1: IDL.Null,
    ed25519: IDL.Null,
  }),
  name: IDL.Text,
});
const vetkd_key_id = IDL.Record({
  curve: IDL.Variant({
    bls12_381_g2: IDL.Null,
  }),
  name: IDL.Text,
});
const extended_public_key = IDL.Record({
  public_key: IDL.Vec(IDL.Nat8),
  chain_code: IDL.Vec(IDL.Nat8),
});
const signature = IDL.Record({
  signature: IDL.Vec(IDL.Nat8),
});
const http_header = IDL.Record({
  name: IDL.Text,
  value: IDL.Text,
});
const http_request_result = IDL.Record({
  status: IDL.Nat,
  headers: IDL.Vec(http_header),
  body: IDL.Vec(IDL.Nat8),
});
const http_transform_args = IDL.Record({
  response: http_request_result,
  context: IDL.Vec(IDL.Nat8),
});
const log_range = IDL.Record({
  start: IDL.Nat64,
  end: IDL.Nat64,
});
const bitcoin_network = IDL.Variant({
  mainnet: IDL.Null,
  testnet: IDL.Null,
});

/** The named types of ic.did. */
export const icTypes = {
  canister,
  environment_variable,
  visibility,
  canister_settings,
  definite_canister_settings,
  canister_install_mode,
  chunk_hash,
  change,
  snapshot,
  snapshot_name,
  global,
  global_timer,
  on_low_wasm_memory_hook_status,
  slice,
  place,
  ecdsa_key_id,
  schnorr_key_id,
  vetkd_key_id,
  extended_public_key,
  signature,
  http_header,
  http_request_result,
  http_transform_args,
  log_range,
  bitcoin_network,
};

/** Types of argument and result of each method; undefined where it has none. */
export const icMethods: Readonly<
  Record<keyof IcMethods, { readonly arg: IDL.Type | undefined; readonly result: IDL.Type | undefined }>
> = {
  bitcoin_get_balance: {
    arg: IDL.Record({
      address: IDL.Text,
      network: bitcoin_network,
      min_confirmations: IDL.Opt(IDL.Nat32),
    }),
    result: IDL.Nat64,
  },
  bitcoin_get_block_headers: {
    arg: IDL.Record({
      start_height: IDL.Nat32,
      end_height: IDL.Opt(IDL.Nat32),
      network: bitcoin_network,
    }),
    result: IDL.Record({
      tip_height: IDL.Nat32,
      block_headers: IDL.Vec(IDL.Vec(IDL.Nat8)),
    }),
  },
  bitcoin_get_current_fee_percentiles: {
    arg: IDL.Record({
      network: bitcoin_network,
    }),
    result: IDL.Vec(IDL.Nat64),
  },
  bitcoin_get_utxos: {
    arg: IDL.Record({
      address: IDL.Text,
      network: bitcoin_network,
      filter: IDL.Opt(IDL.Variant({
        min_confirmations: IDL.Nat32,
        page: IDL.Vec(IDL.Nat8),
      })),
    }),
    result: IDL.Record({
      utxos: IDL.Vec(IDL.Record({
        outpoint: IDL.Record({
          txid: IDL.Vec(IDL.Nat8),
          vout: IDL.Nat32,
        }),
        value: IDL.Nat64,
        height: IDL.Nat32,
      })),
      tip_block_hash: IDL.Vec(IDL.Nat8),
      tip_height: IDL.Nat32,
      next_page: IDL.Opt(IDL.Vec(IDL.Nat8)),
    }),
  },
  bitcoin_send_transaction: {
    arg: IDL.Record({
      transaction: IDL.Vec(IDL.Nat8),
      network: bitcoin_network,
    }),
    result: undefined,
  },
  canister_info: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      num_requested_changes: IDL.Opt(IDL.Nat64),
    }),
    result: IDL.Record({
      total_num_changes: IDL.Nat64,
      recent_changes: IDL.Vec(change),
      module_hash: IDL.Opt(IDL.Vec(IDL.Nat8)),
      controllers: IDL.Vec(IDL.Principal),
    }),
  },
  canister_metadata: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      name: IDL.Text,
    }),
    result: IDL.Record({
      value: IDL.Vec(IDL.Nat8),
    }),
  },
  canister_metrics: {
    arg: canister,
    result: IDL.Record({
      cycles_consumed: IDL.Record({
        memory: IDL.Nat,
        compute_allocation: IDL.Nat,
        ingress_induction: IDL.Nat,
        instructions: IDL.Nat,
        request_and_response_transmission: IDL.Nat,
        uninstall: IDL.Nat,
        canister_creation: IDL.Nat,
        http_outcalls: IDL.Nat,
        burned_cycles: IDL.Nat,
      }),
    }),
  },
  canister_status: {
    arg: canister,
    result: IDL.Record({
      status: IDL.Variant({
        running: IDL.Null,
        stopping: IDL.Null,
        stopped: IDL.Null,
      }),
      ready_for_migration: IDL.Bool,
      version: IDL.Nat64,
      settings: definite_canister_settings,
      module_hash: IDL.Opt(IDL.Vec(IDL.Nat8)),
      memory_size: IDL.Nat,
      memory_metrics: IDL.Record({
        wasm_memory_size: IDL.Nat,
        stable_memory_size: IDL.Nat,
        global_memory_size: IDL.Nat,
        wasm_binary_size: IDL.Nat,
        custom_sections_size: IDL.Nat,
        canister_history_size: IDL.Nat,
        wasm_chunk_store_size: IDL.Nat,
        snapshots_size: IDL.Nat,
        log_memory_store_size: IDL.Nat,
      }),
      cycles: IDL.Nat,
      reserved_cycles: IDL.Nat,
      idle_cycles_burned_per_day: IDL.Nat,
      query_stats: IDL.Record({
        num_calls_total: IDL.Nat,
        num_instructions_total: IDL.Nat,
        request_payload_bytes_total: IDL.Nat,
        response_payload_bytes_total: IDL.Nat,
      }),
    }),
  },
  clear_chunk_store: {
    arg: canister,
    result: undefined,
  },
  create_canister: {
    arg: IDL.Record({
      settings: IDL.Opt(canister_settings),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: canister,
  },
  delete_canister: {
    arg: canister,
    result: undefined,
  },
  delete_canister_snapshot: {
    arg: snapshot_name,
    result: undefined,
  },
  deposit_cycles: {
    arg: canister,
    result: undefined,
  },
  ecdsa_public_key: {
    arg: IDL.Record({
      canister_id: IDL.Opt(IDL.Principal),
      derivation_path: IDL.Vec(IDL.Vec(IDL.Nat8)),
      key_id: ecdsa_key_id,
    }),
    result: extended_public_key,
  },
  fetch_canister_logs: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      filter: IDL.Opt(IDL.Variant({
        by_idx: log_range,
        by_timestamp_nanos: log_range,
      })),
    }),
    result: IDL.Record({
      canister_log_records: IDL.Vec(IDL.Record({
        idx: IDL.Nat64,
        timestamp_nanos: IDL.Nat64,
        content: IDL.Vec(IDL.Nat8),
      })),
    }),
  },
  http_request: {
    arg: IDL.Record({
      url: IDL.Text,
      max_response_bytes: IDL.Opt(IDL.Nat64),
      method: IDL.Variant({
        get: IDL.Null,
        head: IDL.Null,
        post: IDL.Null,
        put: IDL.Null,
        delete: IDL.Null,
        patch: IDL.Null,
      }),
      headers: IDL.Vec(http_header),
      body: IDL.Opt(IDL.Vec(IDL.Nat8)),
      transform: IDL.Opt(IDL.Record({
        function: IDL.Func([http_transform_args], [http_request_result], ['query']),
        context: IDL.Vec(IDL.Nat8),
      })),
      is_replicated: IDL.Opt(IDL.Bool),
    }),
    result: http_request_result,
  },
  install_chunked_code: {
    arg: IDL.Record({
      mode: canister_install_mode,
      target_canister: IDL.Principal,
      store_canister: IDL.Opt(IDL.Principal),
      chunk_hashes_list: IDL.Vec(chunk_hash),
      wasm_module_hash: IDL.Vec(IDL.Nat8),
      arg: IDL.Vec(IDL.Nat8),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: undefined,
  },
  install_code: {
    arg: IDL.Record({
      mode: canister_install_mode,
      canister_id: IDL.Principal,
      wasm_module: IDL.Vec(IDL.Nat8),
      arg: IDL.Vec(IDL.Nat8),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: undefined,
  },
  list_canister_snapshots: {
    arg: canister,
    result: IDL.Vec(snapshot),
  },
  list_canisters: {
    arg: undefined,
    result: IDL.Record({
      canisters: IDL.Vec(IDL.Record({
        start: IDL.Principal,
        end: IDL.Principal,
      })),
    }),
  },
  load_canister_snapshot: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      snapshot_id: IDL.Vec(IDL.Nat8),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: undefined,
  },
  node_metrics_history: {
    arg: IDL.Record({
      subnet_id: IDL.Principal,
      start_at_timestamp_nanos: IDL.Nat64,
    }),
    result: IDL.Vec(IDL.Record({
      timestamp_nanos: IDL.Nat64,
      node_metrics: IDL.Vec(IDL.Record({
        node_id: IDL.Principal,
        num_blocks_proposed_total: IDL.Nat64,
        num_block_failures_total: IDL.Nat64,
      })),
    })),
  },
  provisional_create_canister_with_cycles: {
    arg: IDL.Record({
      amount: IDL.Opt(IDL.Nat),
      settings: IDL.Opt(canister_settings),
      specified_id: IDL.Opt(IDL.Principal),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: canister,
  },
  provisional_top_up_canister: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      amount: IDL.Nat,
    }),
    result: undefined,
  },
  raw_rand: {
    arg: undefined,
    result: IDL.Vec(IDL.Nat8),
  },
  read_canister_snapshot_data: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      snapshot_id: IDL.Vec(IDL.Nat8),
      kind: IDL.Variant({
        wasm_module: slice,
        wasm_memory: slice,
        stable_memory: slice,
        wasm_chunk: chunk_hash,
      }),
    }),
    result: IDL.Record({
      chunk: IDL.Vec(IDL.Nat8),
    }),
  },
  read_canister_snapshot_metadata: {
    arg: snapshot_name,
    result: IDL.Record({
      source: IDL.Variant({
        taken_from_canister: IDL.Reserved,
        metadata_upload: IDL.Reserved,
      }),
      taken_at_timestamp: IDL.Nat64,
      wasm_module_size: IDL.Nat64,
      globals: IDL.Vec(global),
      wasm_memory_size: IDL.Nat64,
      stable_memory_size: IDL.Nat64,
      wasm_chunk_store: IDL.Vec(chunk_hash),
      canister_version: IDL.Nat64,
      certified_data: IDL.Vec(IDL.Nat8),
      global_timer: IDL.Opt(global_timer),
      on_low_wasm_memory_hook_status: IDL.Opt(on_low_wasm_memory_hook_status),
    }),
  },
  schnorr_public_key: {
    arg: IDL.Record({
      canister_id: IDL.Opt(IDL.Principal),
      derivation_path: IDL.Vec(IDL.Vec(IDL.Nat8)),
      key_id: schnorr_key_id,
    }),
    result: extended_public_key,
  },
  sign_with_ecdsa: {
    arg: IDL.Record({
      message_hash: IDL.Vec(IDL.Nat8),
      derivation_path: IDL.Vec(IDL.Vec(IDL.Nat8)),
      key_id: ecdsa_key_id,
    }),
    result: signature,
  },
  sign_with_schnorr: {
    arg: IDL.Record({
      message: IDL.Vec(IDL.Nat8),
      derivation_path: IDL.Vec(IDL.Vec(IDL.Nat8)),
      key_id: schnorr_key_id,
      aux: IDL.Opt(IDL.Variant({
        bip341: IDL.Record({
          merkle_root_hash: IDL.Vec(IDL.Nat8),
        }),
      })),
    }),
    result: signature,
  },
  start_canister: {
    arg: canister,
    result: undefined,
  },
  stop_canister: {
    arg: canister,
    result: undefined,
  },
  stored_chunks: {
    arg: canister,
    result: IDL.Vec(chunk_hash),
  },
  subnet_info: {
    arg: IDL.Record({
      subnet_id: IDL.Principal,
    }),
    result: IDL.Record({
      replica_version: IDL.Text,
      registry_version: IDL.Nat64,
    }),
  },
  take_canister_snapshot: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      replace_snapshot: IDL.Opt(IDL.Vec(IDL.Nat8)),
      uninstall_code: IDL.Opt(IDL.Bool),
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: snapshot,
  },
  uninstall_code: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: undefined,
  },
  update_settings: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      settings: canister_settings,
      sender_canister_version: IDL.Opt(IDL.Nat64),
    }),
    result: undefined,
  },
  upload_canister_snapshot_data: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      snapshot_id: IDL.Vec(IDL.Nat8),
      kind: IDL.Variant({
        wasm_module: place,
        wasm_memory: place,
        stable_memory: place,
        wasm_chunk: IDL.Null,
      }),
      chunk: IDL.Vec(IDL.Nat8),
    }),
    result: undefined,
  },
  upload_canister_snapshot_metadata: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      replace_snapshot: IDL.Opt(IDL.Vec(IDL.Nat8)),
      wasm_module_size: IDL.Nat64,
      globals: IDL.Vec(global),
      wasm_memory_size: IDL.Nat64,
      stable_memory_size: IDL.Nat64,
      certified_data: IDL.Vec(IDL.Nat8),
      global_timer: IDL.Opt(global_timer),
      on_low_wasm_memory_hook_status: IDL.Opt(on_low_wasm_memory_hook_status),
    }),
    result: IDL.Record({
      snapshot_id: IDL.Vec(IDL.Nat8),
    }),
  },
  upload_chunk: {
    arg: IDL.Record({
      canister_id: IDL.Principal,
      chunk: IDL.Vec(IDL.Nat8),
    }),
    result: chunk_hash,
  },
  vetkd_derive_key: {
    arg: IDL.Record({
      input: IDL.Vec(IDL.Nat8),
      context: IDL.Vec(IDL.Nat8),
      transport_public_key: IDL.Vec(IDL.Nat8),
      key_id: vetkd_key_id,
    }),
    result: IDL.Record({
      encrypted_key: IDL.Vec(IDL.Nat8),
    }),
  },
  vetkd_public_key: {
    arg: IDL.Record({
      canister_id: IDL.Opt(IDL.Principal),
      context: IDL.Vec(IDL.Nat8),
      key_id: vetkd_key_id,
    }),
    result: IDL.Record({
      public_key: IDL.Vec(IDL.Nat8),
    }),
  },
};
