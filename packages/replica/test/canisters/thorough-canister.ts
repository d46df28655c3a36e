/** The entry points in which the canister of `thoroughWat` changes everything it may, and then traps. */
export type TrappingEntry =
  | 'start'
  | 'canister_heartbeat'
  | 'canister_on_low_wasm_memory'
  | 'canister_inspect_message';

/**
 * A canister that changes all it can change: heap, heap size, global, stable memory, cycles, timer, certified data, and
 * a call to itself that would count in its heap. It does so and traps in these methods and hooks: `trap`, `query_trap`,
 * `trap_in_reply`, `trap_in_reject`, `trap_in_cleanup`, the global timer (set by `arm`), `canister_init` and
 * `canister_post_upgrade` when they have an argument, `canister_pre_upgrade` after `arm_pre_upgrade`, and in `trapping`.
 * `state` replies eight numbers of 64 bits: heap value, calls to itself, heap pages, global, stable pages, stable
 * value, times a cleanup was kept, reject callbacks; `timer` replies the timer, which it switches off.
 */
export function thoroughWat(trapping?: TrappingEntry): string {
  const hook = (name: TrappingEntry, body: string): string =>
    trapping === name ? `(func (export "${name}") ${body} (unreachable))` : '';
  return `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $arg_size (result i32)))
  (import "ic0" "canister_self_size" (func $self_size (result i32)))
  (import "ic0" "canister_self_copy" (func $self_copy (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $stable_grow (param i64) (result i64)))
  (import "ic0" "stable64_size" (func $stable_size (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (import "ic0" "cycles_burn128" (func $burn (param i64 i64 i32)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_on_cleanup" (func $on_cleanup (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1 30)
  (data (i32.const 200) "called") (data (i32.const 208) "nothing") (data (i32.const 216) "absent")
  (data (i32.const 224) "messed")
  (table funcref (elem $reply_and_trap $cleanup $bad_cleanup $count_reject))
  (global $g (mut i64) (i64.const 0))
  (func $count (param i32) (i64.store (local.get 0) (i64.add (i64.load (local.get 0)) (i64.const 1))))

  (func $mess_memory
    (call $print (i32.const 224) (i32.const 6))
    (call $count (i32.const 0))
    (drop (memory.grow (i32.const 1)))
    (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 8)) (i32.const 7))
    (global.set $g (i64.add (global.get $g) (i64.const 1)))
    (drop (call $stable_grow (i64.const 1)))
    (call $stable_write (i64.const 8) (i64.const 0) (i64.const 8)))
  (func $mess_account
    (call $mess_memory)
    (drop (call $timer (i64.const 9000000000000000000)))
    (call $burn (i64.const 0) (i64.const 1000) (i32.const 300)))
  (func $mess_certified (call $mess_account) (call $certify (i32.const 0) (i32.const 8)))
  (func $call_self (param $name i32) (param $size i32) (param $reply i32) (param $reject i32)
    (call $self_copy (i32.const 400) (i32.const 0) (call $self_size))
    (call $call_new (i32.const 400) (call $self_size) (local.get $name) (local.get $size)
      (local.get $reply) (i32.const 0) (local.get $reject) (i32.const 0)))
  (func $mess
    (call $mess_certified)
    (call $call_self (i32.const 200) (i32.const 6) (i32.const -1) (i32.const -1))
    (drop (call $perform))
    (i64.store (i32.const 400) (i64.const 0)) (i32.store16 (i32.const 408) (i32.const 0)))

  (func $reply_and_trap (param i32) (call $mess) (unreachable))
  (func $cleanup (param i32) (call $count (i32.const 32)))
  (func $bad_cleanup (param i32) (call $count (i32.const 32)) (call $mess_account) (unreachable))
  (func $count_reject (param i32) (call $count (i32.const 40)) (call $mess) (unreachable))

  ${trapping === 'start' ? '(start $begin) (func $begin (call $mess_memory) (unreachable))' : ''}
  (func (export "canister_init") (if (call $arg_size) (then (call $mess_certified) (unreachable))))
  (func (export "canister_pre_upgrade")
    (if (i32.load (i32.const 24)) (then (call $mess_certified) (unreachable))))
  (func (export "canister_post_upgrade") (if (call $arg_size) (then (call $mess_certified) (unreachable))))
  (func (export "canister_global_timer") (call $mess) (unreachable))
  ${hook('canister_heartbeat', '(call $mess)')}
  ${hook('canister_on_low_wasm_memory', '(call $mess)')}
  ${hook('canister_inspect_message', '(call $mess_memory)')}
  (func (export "canister_update nothing") (call $reply))
  (func (export "canister_update called") (call $count (i32.const 16)) (call $reply))
  (func (export "canister_update arm") (drop (call $timer (i64.const 1))) (call $reply))
  (func (export "canister_update arm_pre_upgrade") (i64.store (i32.const 24) (i64.const 1)) (call $reply))
  (func (export "canister_update grow") (drop (memory.grow (i32.const 5))) (call $reply))
  (func (export "canister_update trap") (call $mess) (unreachable))
  (func (export "canister_query query_trap") (call $mess_memory) (unreachable))
  (func (export "canister_query query_mess") (call $mess_memory) (call $reply))
  (func (export "canister_update trap_in_reply")
    (call $call_self (i32.const 208) (i32.const 7) (i32.const 0) (i32.const 3)) (drop (call $perform)))
  (func (export "canister_update trap_in_reject")
    (call $call_self (i32.const 216) (i32.const 6) (i32.const 0) (i32.const 3)) (drop (call $perform)))
  (func (export "canister_update trap_with_cleanup")
    (call $call_self (i32.const 208) (i32.const 7) (i32.const 0) (i32.const 3))
    (call $on_cleanup (i32.const 1) (i32.const 0)) (drop (call $perform)))
  (func (export "canister_update trap_in_cleanup")
    (call $call_self (i32.const 208) (i32.const 7) (i32.const 0) (i32.const 3))
    (call $on_cleanup (i32.const 2) (i32.const 0)) (drop (call $perform)))
  (func (export "canister_update timer")
    (i64.store (i32.const 100) (call $timer (i64.const 0)))
    (call $append (i32.const 100) (i32.const 8)) (call $reply))
  (func (export "canister_query state")
    (i64.store (i32.const 100) (i64.extend_i32_u (memory.size)))
    (i64.store (i32.const 108) (global.get $g))
    (i64.store (i32.const 116) (call $stable_size))
    (i64.store (i32.const 124) (i64.const 0))
    (if (i64.gt_u (call $stable_size) (i64.const 0))
      (then (call $stable_read (i64.const 124) (i64.const 8) (i64.const 8))))
    (call $append (i32.const 0) (i32.const 8)) (call $append (i32.const 16) (i32.const 8))
    (call $append (i32.const 100) (i32.const 32))
    (call $append (i32.const 32) (i32.const 16)) (call $reply)))`;
}
