import type { CanisterSettings, SettingsChange, Visibility } from '@cannery/contract';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';

/** Settings of a canister in Candid (ic.did of interface specification 0.66), and their form in the contract. */

const visibility = IDL.Variant({
  controllers: IDL.Null,
  public: IDL.Null,
  allowed_viewers: IDL.Vec(IDL.Principal),
});
const variables = IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text }));

/** `canister_settings`: the fields that are present are set. */
export const settingsArg = IDL.Record({
  controllers: IDL.Opt(IDL.Vec(IDL.Principal)),
  compute_allocation: IDL.Opt(IDL.Nat),
  memory_allocation: IDL.Opt(IDL.Nat),
  freezing_threshold: IDL.Opt(IDL.Nat),
  reserved_cycles_limit: IDL.Opt(IDL.Nat),
  minimum_incoming_canister_call_cycles: IDL.Opt(IDL.Nat),
  wasm_memory_limit: IDL.Opt(IDL.Nat),
  wasm_memory_threshold: IDL.Opt(IDL.Nat),
  log_memory_limit: IDL.Opt(IDL.Nat),
  log_visibility: IDL.Opt(visibility),
  snapshot_visibility: IDL.Opt(visibility),
  status_visibility: IDL.Opt(visibility),
  environment_variables: IDL.Opt(variables),
});

/** `definite_canister_settings`; what a network with an older interface does not name is optional here. */
export const settingsReply = IDL.Record({
  controllers: IDL.Vec(IDL.Principal),
  compute_allocation: IDL.Nat,
  memory_allocation: IDL.Nat,
  freezing_threshold: IDL.Nat,
  reserved_cycles_limit: IDL.Nat,
  minimum_incoming_canister_call_cycles: IDL.Opt(IDL.Nat),
  wasm_memory_limit: IDL.Nat,
  wasm_memory_threshold: IDL.Opt(IDL.Nat),
  log_memory_limit: IDL.Opt(IDL.Nat),
  log_visibility: IDL.Opt(visibility),
  snapshot_visibility: IDL.Opt(visibility),
  status_visibility: IDL.Opt(visibility),
  environment_variables: IDL.Opt(variables),
});

type CandidVisibility = { controllers: null } | { public: null } | { allowed_viewers: Principal[] };
type Maybe<T> = [] | [T];

export interface DecodedSettings {
  readonly controllers: Principal[];
  readonly compute_allocation: bigint;
  readonly memory_allocation: bigint;
  readonly freezing_threshold: bigint;
  readonly reserved_cycles_limit: bigint;
  readonly minimum_incoming_canister_call_cycles: Maybe<bigint>;
  readonly wasm_memory_limit: bigint;
  readonly wasm_memory_threshold: Maybe<bigint>;
  readonly log_memory_limit: Maybe<bigint>;
  readonly log_visibility: Maybe<CandidVisibility>;
  readonly snapshot_visibility: Maybe<CandidVisibility>;
  readonly status_visibility: Maybe<CandidVisibility>;
  readonly environment_variables: Maybe<{ name: string; value: string }[]>;
}

/** Bytes a network keeps of a log when it does not say. */
const USUAL_LOG_BYTES = 4_096n;

/** The settings as the contract names them. */
export function settingsOf(decoded: DecodedSettings): CanisterSettings {
  return {
    controllers: decoded.controllers.map((controller) => controller.toText()),
    compute_allocation: decoded.compute_allocation.toString(),
    memory_allocation: decoded.memory_allocation.toString(),
    freezing_threshold: decoded.freezing_threshold.toString(),
    reserved_cycles_limit: decoded.reserved_cycles_limit.toString(),
    minimum_incoming_canister_call_cycles: (
      decoded.minimum_incoming_canister_call_cycles[0] ?? 0n
    ).toString(),
    wasm_memory_limit: decoded.wasm_memory_limit.toString(),
    wasm_memory_threshold: (decoded.wasm_memory_threshold[0] ?? 0n).toString(),
    log_memory_limit: (decoded.log_memory_limit[0] ?? USUAL_LOG_BYTES).toString(),
    log_visibility: visibilityOf(decoded.log_visibility),
    snapshot_visibility: visibilityOf(decoded.snapshot_visibility),
    status_visibility: visibilityOf(decoded.status_visibility),
    environment_variables: decoded.environment_variables[0] ?? [],
  };
}

function visibilityOf([value]: Maybe<CandidVisibility>): Visibility {
  if (value === undefined || 'controllers' in value) return 'controllers';
  if ('public' in value) return 'public';
  return { allowed_viewers: value.allowed_viewers.map((viewer) => viewer.toText()) };
}

/** A change as the argument of `update_settings`; every principal in it must be well-formed. */
export function settingsValue(change: SettingsChange): Record<string, Maybe<unknown>> {
  const natural = (text: string | undefined): Maybe<bigint> => (text === undefined ? [] : [BigInt(text)]);
  return {
    controllers: change.controllers === undefined ? [] : [change.controllers.map(principal)],
    compute_allocation: natural(change.compute_allocation),
    memory_allocation: natural(change.memory_allocation),
    freezing_threshold: natural(change.freezing_threshold),
    reserved_cycles_limit: natural(change.reserved_cycles_limit),
    minimum_incoming_canister_call_cycles: natural(change.minimum_incoming_canister_call_cycles),
    wasm_memory_limit: natural(change.wasm_memory_limit),
    wasm_memory_threshold: natural(change.wasm_memory_threshold),
    log_memory_limit: natural(change.log_memory_limit),
    log_visibility: visibilityValue(change.log_visibility),
    snapshot_visibility: visibilityValue(change.snapshot_visibility),
    status_visibility: visibilityValue(change.status_visibility),
    environment_variables:
      change.environment_variables === undefined ? [] : [[...change.environment_variables]],
  };
}

function visibilityValue(value: Visibility | undefined): Maybe<CandidVisibility> {
  if (value === undefined) return [];
  if (value === 'controllers') return [{ controllers: null }];
  if (value === 'public') return [{ public: null }];
  return [{ allowed_viewers: value.allowed_viewers.map(principal) }];
}

function principal(text: string): Principal {
  return Principal.fromText(text);
}
