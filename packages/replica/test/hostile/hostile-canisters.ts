/** Canisters in WebAssembly text that try to take more than their share. */

/** Puts initial data where its memory does not reach. */
export const DATA_OUTSIDE_WAT = `
(module
  (memory 1)
  (data (i32.const 70000) "outside")
  (func (export "canister_update x")))`;

/** Asks for amounts that fit no memory, or repeats cheap calls many times; \`ok\` shows that it still answers. */
export const GREEDY_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (global $i (mut i32) (i32.const 0))
  (func $again (param $times i32) (result i32)
    (global.set $i (i32.add (global.get $i) (i32.const 1)))
    (i32.lt_u (global.get $i) (local.get $times)))
  (func $start (global.set $i (i32.const 0)))
  (func (export "canister_query ok") (call $reply))
  (func (export "canister_update grow_stable") (drop (call $grow (i64.const 1000000))) (call $reply))
  (func (export "canister_query read_all_stable")
    (call $stable_read (i64.const 0) (i64.const 0) (i64.const 60000000000)) (call $reply))
  (func (export "canister_query look_everywhere") (call $start)
    (loop $l
      (call $stable_read (i64.const 0) (i64.mul (i64.extend_i32_u (global.get $i)) (i64.const 262144)) (i64.const 1))
      (br_if $l (call $again (i32.const 20000))))
    (call $reply))
  (func (export "canister_update print_nothing") (call $start)
    (loop $l (call $print (i32.const 0) (i32.const 0)) (br_if $l (call $again (i32.const 300000))))
    (call $reply))
  (func (export "canister_update print_much") (call $start)
    (loop $l (call $print (i32.const 0) (i32.const 4000)) (br_if $l (call $again (i32.const 100000))))
    (call $reply))
  (func $call (call $call_new
    (i32.const 0) (i32.const 10) (i32.const 0) (i32.const 0)
    (i32.const -1) (i32.const 0) (i32.const -1) (i32.const 0)))
  (func $append_bit_by_bit (param $times i32) (call $start) (call $call)
    (loop $l (call $data (i32.const 0) (i32.const 1)) (br_if $l (call $again (local.get $times))))
    (call $reply))
  (func (export "canister_update append_some") (call $append_bit_by_bit (i32.const 100000)))
  (func (export "canister_update append_many") (call $append_bit_by_bit (i32.const 400000)))
  (func $calls (param $times i32) (call $start)
    (loop $l
      (i32.store (i32.const 0) (global.get $i))
      (call $call) (drop (call $perform)) (br_if $l (call $again (local.get $times))))
    (call $reply))
  (func (export "canister_update call_some") (call $calls (i32.const 5000)))
  (func (export "canister_update call_many") (call $calls (i32.const 20000))))`;

/** Asks \`ok\` of the canister in its argument, and again whenever it gets an answer. */
export const RESTLESS_WAT = `
(module
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (data (i32.const 100) "ok")
  (table funcref (elem $ask))
  (func $ask (param i32)
    (call $call_new (i32.const 0) (i32.const 10) (i32.const 100) (i32.const 2)
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (drop (call $perform)))
  (func (export "canister_composite_query forever")
    (call $arg (i32.const 0) (i32.const 0) (call $size)) (call $ask (i32.const 0))))`;
