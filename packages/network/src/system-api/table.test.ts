import { expect, test } from 'vitest';
import { unknownImports } from './imports.ts';
import { SYSTEM_API } from './table.ts';

/** "Overview of imports" of interface specification 0.66. */
const SPECIFIED = `
msg_arg_data_size msg_arg_data_copy msg_caller_size msg_caller_copy msg_caller_info_data_size
msg_caller_info_data_copy msg_caller_info_signer_size msg_caller_info_signer_copy msg_reject_code
msg_reject_msg_size msg_reject_msg_copy msg_deadline msg_reply_data_append msg_reply msg_reject
msg_cycles_available128 msg_cycles_refunded128 msg_cycles_accept128 cycles_burn128 canister_self_size
canister_self_copy canister_cycle_balance128 canister_liquid_cycle_balance128 canister_status canister_version
subnet_self_size subnet_self_copy subnet_self_node_count msg_method_name_size msg_method_name_copy accept_message
call_new call_on_cleanup call_data_append call_with_best_effort_response call_cycles_add128 call_perform
stable64_size stable64_grow stable64_write stable64_read root_key_size root_key_copy certified_data_set
data_certificate_present data_certificate_size data_certificate_copy time global_timer_set performance_counter
is_controller in_replicated_execution cost_call cost_create_canister cost_http_request cost_http_request_v2 cost_sign_with_ecdsa
cost_sign_with_schnorr cost_vetkd_derive_key env_var_count env_var_name_size env_var_name_copy
env_var_name_exists env_var_value_size env_var_value_copy debug_print trap`
  .trim()
  .split(/\s+/);

const MEMORY32_ONLY = `
msg_cycles_available msg_cycles_refunded msg_cycles_accept canister_cycle_balance call_cycles_add stable_size
stable_grow stable_write stable_read`
  .trim()
  .split(/\s+/);

const imports = (names: readonly string[]): { module: string; name: string; kind: string }[] =>
  names.map((name) => ({ module: 'ic0', name, kind: 'function' }));

test('the table holds each function of the specification once', () => {
  expect(SYSTEM_API.map(({ name }) => name).toSorted()).toEqual([...SPECIFIED, ...MEMORY32_ONLY].toSorted());
});

test('the narrow forms exist for canisters with 32-bit memory only', () => {
  expect(unknownImports(imports([...SPECIFIED, ...MEMORY32_ONLY]), false)).toEqual([]);
  expect(unknownImports(imports([...SPECIFIED, ...MEMORY32_ONLY]), true)).toEqual(
    MEMORY32_ONLY.map((name) => `ic0.${name}`),
  );
  expect(unknownImports([{ module: 'env', name: 'time', kind: 'function' }], false)).toEqual(['env.time']);
});
