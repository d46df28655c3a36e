import { type IcMethods, type IcTypes, icMethods } from '@cannery/ic/generated/ic-interface';
import { IDL } from '@icp-sdk/core/candid';

/** Settings of a canister of which none is given. */
export const NO_SETTINGS = {
  compute_allocation: [],
  memory_allocation: [],
  freezing_threshold: [],
  reserved_cycles_limit: [],
  minimum_incoming_canister_call_cycles: [],
  log_visibility: [],
  log_memory_limit: [],
  snapshot_visibility: [],
  status_visibility: [],
  wasm_memory_limit: [],
  wasm_memory_threshold: [],
  environment_variables: [],
} satisfies Omit<IcTypes['canister_settings'], 'controllers'>;

/** Encodes the argument of a method of the management canister. */
export function encodeManagement<Name extends keyof IcMethods>(
  method: Name,
  arg: IcMethods[Name]['arg'],
): Uint8Array {
  const type = icMethods[method].arg;
  return new Uint8Array(IDL.encode(type ? [type] : [], type ? [arg] : []));
}
