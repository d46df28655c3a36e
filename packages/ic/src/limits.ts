/**
 * Limits and constants of a subnet. Sources: IC interface specification 0.66, "Resource limits" of the
 * developer docs, and `rs/config/src/subnet_config.rs` and `rs/limits/src/lib.rs` of dfinity/ic.
 */

/** Weighted instructions one message may use. A console may lower them to stop runaway code sooner. */
export interface InstructionLimits {
  readonly update: bigint;
  readonly query: bigint;
  readonly install: bigint;
  readonly inspect: bigint;
}

export const DEFAULT_INSTRUCTION_LIMITS: InstructionLimits = {
  update: 40_000_000_000n,
  query: 5_000_000_000n,
  install: 300_000_000_000n,
  inspect: 200_000_000n,
};

/** Version of this network, as its status endpoint and `subnet_info` tell it. */
export const NETWORK_VERSION = '1.0.0';

export const WASM_PAGE_BYTES = 65_536;
/** Granularity of dirty tracking and of the page store. */
export const STORE_PAGE_BYTES = 4_096;

export const MAX_REPLY_BYTES = 2 * 1024 * 1024;
export const MAX_QUERY_REPLY_BYTES = 3 * 1024 * 1024;
/** Argument of a call between canisters of one subnet. */
export const MAX_CALL_BYTES = 10 * 1024 * 1024;
/** Name of the method and argument of a call to a canister of another subnet (`MAX_INTER_CANISTER_PAYLOAD_IN_BYTES`). */
export const MAX_CROSS_SUBNET_CALL_BYTES = 2 * 1024 * 1024;
export const MAX_METHOD_NAME_BYTES = 20_000;
export const MAX_CERTIFIED_DATA_BYTES = 32;
/** Calls a canister may have in flight to one callee. */
export const MAX_OUTSTANDING_CALLS_PER_CALLEE = 500;
/** Longest bounded wait of a best-effort call, in seconds. */
export const MAX_CALL_TIMEOUT_SECONDS = 300;
export const MAX_REJECT_MESSAGE_BYTES = 8 * 1024;

/** Stable memory of a canister (`MAX_STABLE_MEMORY_IN_BYTES` of dfinity/ic: 500 GiB). */
export const MAX_STABLE_PAGES = (500 * 1024 ** 3) / WASM_PAGE_BYTES;
/** Above this many pages the 32-bit stable memory functions trap. */
export const MAX_STABLE32_PAGES = 2 ** 32 / WASM_PAGE_BYTES;
/** Instructions charged for each stable memory page (4 KiB) first written in a message. */
export const STABLE_DIRTY_PAGE_INSTRUCTIONS = 1_000;
/** Stable memory one message may have changed pieces of, counted in the pieces it is held in (replica: 2 GiB of pages). */
export const MAX_DIRTY_STABLE_BYTES = 2 * 1024 ** 3;
export const MAX_HEAP32_BYTES = 4n * 1024n ** 3n;
export const MAX_HEAP64_BYTES = 6n * 1024n ** 3n;

export const MAX_CONTROLLERS = 10;
export const MAX_ALLOWED_VIEWERS = 10;
export const MAX_ENVIRONMENT_VARIABLES = 20;
export const MAX_ENVIRONMENT_VARIABLE_BYTES = 128;
export const MAX_WASM_MODULE_BYTES = 100 * 1024 * 1024;
export const MAX_CHUNK_BYTES = 1024 * 1024;
export const MAX_CHUNKS = 100;
/** Compute allocation all canisters may have together, in percent (resource limits of the developer docs). */
export const SUBNET_COMPUTE_PERCENT = 299n;
/** `max_number_of_snapshots_per_canister` of `rs/config/src/execution_environment.rs`. */
export const MAX_SNAPSHOTS = 10;
/** Largest piece of a snapshot to read at once (`MAX_SLICE_SIZE_BYTES` of the replica's canister manager). */
export const MAX_SNAPSHOT_SLICE_BYTES = 2_000_000;
/** Instructions charged for a snapshot taken, loaded or announced (`rs/config/src/subnet_config.rs`). */
export const SNAPSHOT_BASELINE_INSTRUCTIONS = 2_000_000_000n;
/** Instructions charged for a piece of a snapshot read or written, besides one for each byte (same file). */
export const SNAPSHOT_DATA_BASELINE_INSTRUCTIONS = 5_000_000n;
export const MAX_HISTORY_CHANGES = 20;
export const DEFAULT_LOG_MEMORY_BYTES = 4_096;
export const MAX_LOG_MEMORY_BYTES = 2 * 1024 * 1024;

/** Depth of the call graph of a composite query. */
export const MAX_QUERY_CALL_DEPTH = 6;
/** Charged for each call of a composite query, besides what the callee uses; bounds how many there can be. */
export const QUERY_CALL_INSTRUCTIONS = 50_000_000n;

const SECOND = 1_000_000_000n;
/** How long a request status stays readable after the request's expiry. */
export const INGRESS_HISTORY_NANOS = 300n * SECOND;
/** Replies kept for their senders; beyond it the oldest are forgotten, and their requests become `done`. */
export const MAX_HISTORY_REPLY_BYTES = 256 * 1024 ** 2;
/** After this time `stop_canister` gives up waiting; the canister stays `stopping`. */
export const STOP_TIMEOUT_NANOS = 300n * SECOND;
export const HEARTBEAT_INTERVAL_MS = 1_000;

/** Balance of a canister made by `provisional_create_canister_with_cycles` without an amount. */
export const DEFAULT_PROVISIONAL_CYCLES = 100_000_000_000_000n;

/** Heap and stable memory kept in memory for loaded canisters before the least recently used are unloaded. */
export const DEFAULT_LOADED_BYTES = 1024 ** 3;

/** Canisters kept loaded: each holds a WebAssembly memory, of which V8 grants a process about 16,300. */
export const DEFAULT_LOADED_CANISTERS = 4_000;

/** Requests whose status is kept; beyond it new ones are refused (`INGRESS_HISTORY_MAX_MESSAGES`, `rs/limits/src/lib.rs`). */
export const MAX_INGRESS_HISTORY = 600_000;

/** Ordinal of the first canister created without `specified_id`; lower ones stay free for well-known IDs. */
export const FIRST_CANISTER_ORDINAL = 0x0100_0000n;
