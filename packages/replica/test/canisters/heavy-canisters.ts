/** Canisters in WebAssembly text that compute for long. */

/**
 * Methods that burn as many rounds as their argument says (8 bytes, little-endian; a round is about ten instructions)
 * in every kind of execution, with effects on heap, globals and stable memory. `state` replies what they left.
 */
export const BURNER_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "performance_counter" (func $performance (param i32) (result i64)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (import "ic0" "canister_self_copy" (func $self (param i32 i32 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_on_cleanup" (func $on_cleanup (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (import "ic0" "accept_message" (func $accept))
  (import "ic0" "msg_method_name_size" (func $method_size (result i32)))
  (memory 2)
  (table funcref (elem $callback $rejected $cleanup))
  (data (i32.const 900) "note")
  (global $runs (mut i64) (i64.const 0))
  (global $length (mut i32) (i32.const 0))

  (func $burn (param $rounds i64)
    (loop $next
      (i64.store (i32.const 800) (i64.add (i64.load (i32.const 800)) (local.get $rounds)))
      (local.set $rounds (i64.sub (local.get $rounds) (i64.const 1)))
      (br_if $next (i64.gt_s (local.get $rounds) (i64.const 0)))))
  (func $burn_argument
    (i64.store (i32.const 0) (i64.const 1))
    (if (i32.ge_u (call $size) (i32.const 8)) (then (call $arg (i32.const 0) (i32.const 0) (i32.const 8))))
    (call $burn (i64.load (i32.const 0))))
  (func $count
    (global.set $runs (i64.add (global.get $runs) (i64.const 1))))
  (func $reply_runs
    (i64.store (i32.const 16) (global.get $runs))
    (call $append (i32.const 16) (i32.const 8)) (call $reply))

  (func (export "canister_init")
    (call $burn_argument)
    (drop (call $grow (i64.const 1))) (call $count))
  (func (export "canister_pre_upgrade") (call $burn (i64.const 100000)) (call $keep_runs))
  (func (export "canister_post_upgrade")
    (call $stable_read (i64.const 16) (i64.const 0) (i64.const 8))
    (global.set $runs (i64.load (i32.const 16)))
    (call $burn_argument)
    (call $count))
  (func $keep_runs
    (i64.store (i32.const 16) (global.get $runs))
    (call $stable_write (i64.const 0) (i64.const 16) (i64.const 8)))

  (func (export "canister_update work")
    (call $burn_argument) (call $count) (call $keep_runs) (call $reply_runs))
  (func (export "canister_update counted")
    (call $burn_argument)
    (i64.store (i32.const 16) (call $performance (i32.const 0)))
    (call $append (i32.const 16) (i32.const 8)) (call $reply))
  (func (export "canister_update work_and_trap") (call $count) (call $burn_argument) (unreachable))
  (func (export "canister_update forever") (loop $l (br $l)))
  (func (export "canister_query forever_query") (loop $l (br $l)))
  (func (export "canister_query work_query") (call $burn_argument) (call $count) (call $reply_runs))
  (func (export "canister_query state")
    (call $reply_state))
  (func $reply_state
    (i64.store (i32.const 16) (global.get $runs))
    (call $stable_read (i64.const 24) (i64.const 0) (i64.const 8))
    (i64.store (i32.const 32) (i64.load (i32.const 800)))
    (call $append (i32.const 16) (i32.const 24)) (call $reply))

  (func (export "canister_update note") (call $burn_argument)
    (i32.store8 (i32.add (i32.const 65536) (global.get $length)) (i32.load8_u (i32.const 0)))
    (global.set $length (i32.add (global.get $length) (i32.const 1)))
    (call $reply))
  (func (export "canister_query notes") (call $append (i32.const 65536) (global.get $length)) (call $reply))

  (func (export "canister_update arm") (drop (call $timer (call $time))) (call $reply))
  (func (export "canister_global_timer") (call $burn (i64.const 100000)) (call $count))

  ;; Calls itself; the callback burns what the argument says and traps, the cleanup burns and counts.
  (func (export "canister_update call_and_trap")
    (call $self (i32.const 1000) (i32.const 0) (i32.const 10))
    (call $call_new (i32.const 1000) (i32.const 10) (i32.const 900) (i32.const 4)
      (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0))
    (call $on_cleanup (i32.const 2) (i32.const 0))
    (drop (call $perform)))
  (func $callback (param i32) (call $count) (call $burn (i64.const 100000)) (unreachable))
  (func $rejected (param i32) (call $reply))
  (func $cleanup (param i32) (call $burn (i64.const 100000)) (call $count))

  (func (export "canister_update inspected") (call $count) (call $reply_runs))
  (func (export "canister_inspect_message")
    (if (i32.eq (call $method_size) (i32.const 9)) (then
      (call $burn (i64.const 300000))
      (if (i32.eqz (call $size)) (then (return)))))
    (call $accept)))`;

/**
 * \`ask\` asks the query named in its argument, \`<length of the ID><ID><method>\`, and replies what it replied.
 * \`ask_both\` asks \`get\` of the canister in front of that, \`<length of the ID><ID>\`, before.
 */
export const ASKER_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (table funcref (elem $replied))
  (data (i32.const 2000) "\\40\\0d\\03\\00\\00\\00\\00\\00") (data (i32.const 2016) "get")
  (func $replied (param i32)
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (call $append (i32.const 0) (call $size)) (call $reply))
  (func $ask (param $id i32) (local $method i32)
    (local.set $method (i32.add (i32.add (local.get $id) (i32.const 1)) (i32.load8_u (local.get $id))))
    (call $call_new
      (i32.add (local.get $id) (i32.const 1)) (i32.load8_u (local.get $id))
      (local.get $method) (i32.sub (call $size) (local.get $method))
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (call $data (i32.const 2000) (i32.const 8))
    (drop (call $perform)))
  (func (export "canister_composite_query ask")
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (call $ask (i32.const 0)))
  (func (export "canister_composite_query ask_both")
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (call $call_new (i32.const 1) (i32.load8_u (i32.const 0)) (i32.const 2016) (i32.const 3)
      (i32.const -1) (i32.const 0) (i32.const -1) (i32.const 0))
    (drop (call $perform))
    (call $ask (i32.add (i32.const 1) (i32.load8_u (i32.const 0))))))`;

/** Fills 300 MiB of its heap and then never ends. */
export const FILLER_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (memory 1)
  (func (export "canister_query ok") (call $reply))
  (func (export "canister_update fill_and_loop") (local $at i32)
    (drop (memory.grow (i32.const 4800)))
    (loop $next
      (i32.store (local.get $at) (i32.const 1))
      (local.set $at (i32.add (local.get $at) (i32.const 4096)))
      (br_if $next (i32.lt_u (local.get $at) (i32.const 314572800))))
    (loop $l (br $l))))`;

/** Prepares more calls, each to another canister, than the JavaScript heap of a thread can hold. */
export const CROWD_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (global $runs (mut i32) (i32.const 0))
  (func (export "canister_query ok") (call $reply))
  (func (export "canister_update crowd") (local $i i32)
    (loop $next
      (i32.store (i32.const 0) (local.get $i))
      (call $call_new (i32.const 0) (i32.const 10) (i32.const 0) (i32.const 0)
        (i32.const -1) (i32.const 0) (i32.const -1) (i32.const 0))
      (drop (call $perform))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 2000000))))
    (call $reply)))`;

/** Grows its heap by as many pages as its argument says (4 bytes, little-endian), and replies what `memory.grow` said. */
export const GROWER_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (memory 1)
  (func (export "canister_query ok") (call $reply))
  (func (export "canister_update grow") (local $i i32)
    (call $arg (i32.const 0) (i32.const 0) (i32.const 4))
    (i32.store (i32.const 4) (memory.grow (i32.load (i32.const 0))))
    (loop $wait
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $wait (i32.lt_u (local.get $i) (i32.const 1000))))
    (call $append (i32.const 4) (i32.const 4)) (call $reply)))`;
