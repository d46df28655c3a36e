/**
 * "Overview of imports" of the interface specification 0.66 (`canister-interface.md`), line by line: name, parameters,
 * result, and from where it may be called. `I` is the pointer type.
 */
export const SPECIFIED = `
msg_arg_data_size : () -> I                                      // I U RQ NRQ TQ CQ Ry CRy F
msg_arg_data_copy : (I, I, I) -> ()                              // I U RQ NRQ TQ CQ Ry CRy F
msg_caller_size : () -> I                                        // *
msg_caller_copy : (I, I, I) -> ()                                // *
msg_caller_info_data_size : () -> I                              // U RQ NRQ CQ Ry Rt CRy CRt C CC F
msg_caller_info_data_copy : (I, I, I) -> ()                      // U RQ NRQ CQ Ry Rt CRy CRt C CC F
msg_caller_info_signer_size : () -> I                            // U RQ NRQ CQ Ry Rt CRy CRt C CC F
msg_caller_info_signer_copy : (I, I, I) -> ()                    // U RQ NRQ CQ Ry Rt CRy CRt C CC F
msg_reject_code : () -> i32                                      // Ry Rt CRy CRt C
msg_reject_msg_size : () -> I                                    // Rt CRt
msg_reject_msg_copy : (I, I, I) -> ()                            // Rt CRt
msg_deadline : () -> i64                                         // U Q CQ Ry Rt CRy CRt
msg_reply_data_append : (I, I) -> ()                             // U RQ NRQ TQ CQ Ry Rt CRy CRt
msg_reply : () -> ()                                             // U RQ NRQ TQ CQ Ry Rt CRy CRt
msg_reject : (I, I) -> ()                                        // U RQ NRQ TQ CQ Ry Rt CRy CRt
msg_cycles_available128 : (I) -> ()                              // U RQ Rt Ry
msg_cycles_refunded128 : (I) -> ()                               // Rt Ry
msg_cycles_accept128 : (i64, i64, I) -> ()                       // U RQ Rt Ry
cycles_burn128 : (i64, i64, I) -> ()                             // I G U RQ Ry Rt C T
canister_self_size : () -> I                                     // *
canister_self_copy : (I, I, I) -> ()                             // *
canister_cycle_balance128 : (I) -> ()                            // *
canister_liquid_cycle_balance128 : (I) -> ()                     // *
canister_status : () -> i32                                      // *
canister_version : () -> i64                                     // *
subnet_self_size : () -> I                                       // *
subnet_self_copy : (I, I, I) -> ()                               // *
msg_method_name_size : () -> I                                   // F
msg_method_name_copy : (I, I, I) -> ()                           // F
accept_message : () -> ()                                        // F
call_new : (I, I, I, I, I, I, I, I) -> ()                        // U CQ Ry Rt CRy CRt T
call_on_cleanup : (I, I) -> ()                                   // U CQ Ry Rt CRy CRt T
call_data_append : (I, I) -> ()                                  // U CQ Ry Rt CRy CRt T
call_with_best_effort_response : (i32) -> ()                     // U CQ Ry Rt CRy CRt T
call_cycles_add128 : (i64, i64) -> ()                            // U Ry Rt T
call_perform : () -> i32                                         // U CQ Ry Rt CRy CRt T
stable64_size : () -> i64                                        // * s
stable64_grow : (i64) -> i64                                     // * s
stable64_write : (i64, i64, i64) -> ()                           // * s
stable64_read : (i64, i64, i64) -> ()                            // * s
root_key_size : () -> I                                          // I G U RQ Ry Rt C T
root_key_copy : (I, I, I) -> ()                                  // I G U RQ Ry Rt C T
certified_data_set : (I, I) -> ()                                // I G U Ry Rt T
data_certificate_present : () -> i32                             // *
data_certificate_size : () -> I                                  // NRQ CQ
data_certificate_copy : (I, I, I) -> ()                          // NRQ CQ
time : () -> i64                                                 // *
global_timer_set : (i64) -> i64                                  // I G U Ry Rt C T
performance_counter : (i32) -> i64                               // * s
is_controller : (I, I) -> i32                                    // * s
in_replicated_execution : () -> i32                              // * s
cost_call : (i64, i64, I) -> ()                                  // * s
cost_create_canister : (I) -> ()                                 // * s
cost_http_request : (i64, i64, I) -> ()                          // * s
cost_sign_with_ecdsa : (I, I, i32, I) -> i32                     // * s
cost_sign_with_schnorr : (I, I, i32, I) -> i32                   // * s
cost_vetkd_derive_key : (I, I, i32, I) -> i32                    // * s
env_var_count : () -> I                                          // *
env_var_name_size : (I) -> I                                     // *
env_var_name_copy : (I, I, I, I) -> ()                           // *
env_var_name_exists : (I, I) -> i32                              // *
env_var_value_size : (I, I) -> I                                 // *
env_var_value_copy : (I, I, I, I, I) -> ()                       // *
debug_print : (I, I) -> ()                                       // * s
trap : (I, I) -> ()                                              // * s`;

/** The second list there: for canisters with 32-bit memory, or none. */
export const SPECIFIED_FOR_32_BITS = `
msg_cycles_available : () -> i64                                 // U RQ Rt Ry
msg_cycles_refunded : () -> i64                                  // Rt Ry
msg_cycles_accept : (i64) -> i64                                 // U RQ Rt Ry
canister_cycle_balance : () -> i64                               // *
call_cycles_add : (i64) -> ()                                    // U Ry Rt T
stable_size : () -> i32                                          // * s
stable_grow : (i32) -> i32                                       // * s
stable_write : (i32, i32, i32) -> ()                             // * s
stable_read : (i32, i32, i32) -> ()                              // * s`;

/** Functions of the replica that the specification does not list yet (dfinity/ic `.../wasmtime_embedder/linker.rs`). */
export const UNSPECIFIED = `
subnet_self_node_count : () -> i32                               // *
cost_http_request_v2 : (I, I, I) -> ()                           // * s`;

/**
 * Instructions of a call in the replica: `overhead` and `overhead_native` of
 * `rs/embedders/src/wasmtime_embedder/system_api_complexity.rs`, and what `linker.rs` beside it adds for bytes:
 * `+ 50 * (1)` is 50 for each byte, their number being parameter 1. Everything not listed costs 500.
 */
export const CHARGES = `
call_new 1500 + 1 * (1, 3)
call_perform 5000
is_controller 1000 + 1 * (1)
performance_counter 200
debug_print 100
cost_http_request_v2 10000
stable_size 0
stable64_size 0
stable_grow 100
stable64_grow 100
stable_read 20 + 1 * (2)
stable_write 20 + 1 * (2)
stable64_read 20 + 1 * (2)
stable64_write 20 + 1 * (2)
msg_arg_data_copy 500 + 1 * (2)
msg_caller_copy 500 + 1 * (2)
msg_caller_info_data_copy 500 + 1 * (2)
msg_caller_info_signer_copy 500 + 1 * (2)
msg_reject_msg_copy 500 + 1 * (2)
msg_method_name_copy 500 + 1 * (2)
canister_self_copy 500 + 1 * (2)
subnet_self_copy 500 + 1 * (2)
root_key_copy 500 + 1 * (2)
data_certificate_copy 500 + 1 * (2)
certified_data_set 500 + 1 * (1)
env_var_name_copy 500 + 1 * (3)
env_var_value_copy 500 + 1 * (4)
cost_sign_with_ecdsa 500 + 1 * (1)
cost_sign_with_schnorr 500 + 1 * (1)
cost_vetkd_derive_key 500 + 1 * (1)
msg_reply_data_append 500 + 50 * (1)
msg_reject 500 + 50 * (1)
call_data_append 500 + 50 * (1)`;
