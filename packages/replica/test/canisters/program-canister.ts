import { dataOf } from './spending-canisters.ts';

/** Steps of a program by name; each is in the argument as its number and one byte for `n`. */
export const STEPS = {
  /** Computes for `n` times a hundred rounds. */
  burn: 0,
  /** Grows the stable memory and writes there. */
  stable: 1,
  /** Grows the heap and writes to its end. */
  heap: 2,
  certify: 3,
  /** Sets the timer this many seconds ahead. */
  timer: 4,
  print: 5,
  /** Burns `n` million cycles. */
  spend: 6,
  /** Takes the cycles that came with the call. */
  accept: 7,
  trap: 8,
  /** Calls `go` of peer `n` modulo two with the rest of the program and `n` million cycles, and waits. */
  call: 9,
  /** The same, and traps in the callback. */
  callAndTrap: 10,
  /** Calls `look` of peer `n` modulo two with the rest of the program, and waits. */
  look: 11,
} as const;

/**
 * Runs the program in its argument in `go` (update), `look` (query), `ask` (composite query), `canister_init` and
 * `canister_post_upgrade`. Before each step, in each callback and in the timer it notes all it can see of its execution:
 * kind of step, time, both instruction counters, version, balance, size of the stable memory (56 bytes). It replies the
 * last note; `notes` replies all of them. A message is inspected as long as a program of its length takes, and refused
 * when that is odd.
 */
export const programWat = (peers: readonly [Uint8Array, Uint8Array]): string => `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "performance_counter" (func $counter (param i32) (result i64)))
  (import "ic0" "canister_version" (func $version (result i64)))
  (import "ic0" "canister_cycle_balance" (func $balance (result i64)))
  (import "ic0" "msg_cycles_accept128" (func $accept (param i64 i64 i32)))
  (import "ic0" "cycles_burn128" (func $burn_cycles (param i64 i64 i32)))
  (import "ic0" "stable64_size" (func $stable_size (result i64)))
  (import "ic0" "stable64_grow" (func $stable_grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (import "ic0" "accept_message" (func $accept_message))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_on_cleanup" (func $on_cleanup (param i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_cycles_add128" (func $pay (param i64 i64)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 2)
  (table funcref (elem $answered $cleanup))
  (data (i32.const 900) "go") (data (i32.const 902) "look")
  (data (i32.const 1000) "${dataOf(peers[0])}") (data (i32.const 1016) "${dataOf(peers[1])}")
  (global $noted (mut i32) (i32.const 0))

  (func $note (param $kind i32) (local $at i32)
    (local.set $at (i32.add (i32.const 65536) (global.get $noted)))
    (i64.store (local.get $at) (i64.extend_i32_u (local.get $kind)))
    (i64.store offset=8 (local.get $at) (call $time))
    (i64.store offset=16 (local.get $at) (call $counter (i32.const 0)))
    (i64.store offset=24 (local.get $at) (call $counter (i32.const 1)))
    (i64.store offset=32 (local.get $at) (call $version))
    (i64.store offset=40 (local.get $at) (call $balance))
    (i64.store offset=48 (local.get $at) (call $stable_size))
    (global.set $noted (i32.and (i32.add (global.get $noted) (i32.const 56)) (i32.const 0xffff))))
  (func $burn (param $rounds i32)
    (loop $next
      (i32.store (i32.const 800) (i32.add (i32.load (i32.const 800)) (local.get $rounds)))
      (local.set $rounds (i32.sub (local.get $rounds) (i32.const 1)))
      (br_if $next (i32.gt_s (local.get $rounds) (i32.const 0)))))
  (func $answer
    (call $note (i32.const 100))
    (call $append (i32.const 65536) (global.get $noted)) (call $reply))
  (func $call (param $name i32) (param $length i32) (param $at i32) (param $end i32) (param $n i32) (param $traps i32)
    (call $call_new
      (i32.add (i32.const 1000) (i32.mul (i32.const 16) (i32.and (local.get $n) (i32.const 1)))) (i32.const 10)
      (local.get $name) (local.get $length)
      (i32.const 0) (local.get $traps) (i32.const 0) (local.get $traps))
    (call $on_cleanup (i32.const 1) (i32.const 0))
    (call $data (local.get $at) (i32.sub (local.get $end) (local.get $at))))
  (func $send
    (if (call $perform) (then (call $note (i32.const 101)) (call $answer))))

  ;; Runs the program; not zero when the answer comes later.
  (func $program (result i32) (local $at i32) (local $end i32) (local $op i32) (local $n i32)
    (local.set $at (i32.const 4096))
    (local.set $end (i32.add (i32.const 4096) (call $size)))
    (call $arg (i32.const 4096) (i32.const 0) (call $size))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (i32.add (local.get $at) (i32.const 1)) (local.get $end)))
        (local.set $op (i32.load8_u (local.get $at)))
        (local.set $n (i32.load8_u offset=1 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (call $note (local.get $op))
        (if (i32.eq (local.get $op) (i32.const 0))
          (then (call $burn (i32.mul (local.get $n) (i32.const 100)))))
        (if (i32.eq (local.get $op) (i32.const 1)) (then
          (drop (call $stable_grow (i64.const 1)))
          (call $stable_write (i64.extend_i32_u (local.get $n)) (i64.const 800) (i64.const 64))))
        (if (i32.eq (local.get $op) (i32.const 2)) (then
          (drop (memory.grow (i32.const 1)))
          (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 8)) (local.get $n))))
        (if (i32.eq (local.get $op) (i32.const 3)) (then (call $certify (i32.const 800) (i32.const 8))))
        (if (i32.eq (local.get $op) (i32.const 4)) (then
          (drop (call $timer (i64.add (call $time)
            (i64.mul (i64.add (i64.extend_i32_u (local.get $n)) (i64.const 1)) (i64.const 1000000000)))))))
        (if (i32.eq (local.get $op) (i32.const 5)) (then (call $print (i32.const 900) (i32.const 6))))
        (if (i32.eq (local.get $op) (i32.const 6)) (then
          (call $burn_cycles (i64.const 0) (i64.mul (i64.extend_i32_u (local.get $n)) (i64.const 1000000)) (i32.const 808))))
        (if (i32.eq (local.get $op) (i32.const 7)) (then
          (call $accept (i64.const 0) (i64.const 1000000000000) (i32.const 808))))
        (if (i32.eq (local.get $op) (i32.const 8)) (then (unreachable)))
        (if (i32.or (i32.eq (local.get $op) (i32.const 9)) (i32.eq (local.get $op) (i32.const 10))) (then
          (call $call (i32.const 900) (i32.const 2) (local.get $at) (local.get $end) (local.get $n)
            (i32.eq (local.get $op) (i32.const 10)))
          (call $pay (i64.const 0) (i64.mul (i64.extend_i32_u (local.get $n)) (i64.const 1000000)))
          (call $send)
          (return (i32.const 1))))
        (if (i32.eq (local.get $op) (i32.const 11)) (then
          (call $call (i32.const 902) (i32.const 4) (local.get $at) (local.get $end) (local.get $n) (i32.const 0))
          (call $send)
          (return (i32.const 1))))
        (br $next)))
    (i32.const 0))
  (func $run (if (i32.eqz (call $program)) (then (call $answer))))
  (func $answered (param $traps i32)
    (call $note (i32.const 102)) (call $burn (i32.const 300))
    (if (local.get $traps) (then (unreachable)))
    (call $answer))
  (func $cleanup (param i32) (call $note (i32.const 103)) (call $burn (i32.const 300)))

  (func (export "canister_init") (drop (call $program)))
  (func (export "canister_pre_upgrade")
    (call $note (i32.const 104)) (call $burn (i32.const 300))
    (if (i64.eqz (call $stable_size)) (then (drop (call $stable_grow (i64.const 1)))))
    (call $stable_write (i64.const 1000) (i64.const 65536) (i64.const 56)))
  (func (export "canister_post_upgrade") (drop (call $program)))
  (func (export "canister_global_timer")
    (call $note (i32.const 105)) (call $burn (i32.const 300)) (call $print (i32.const 900) (i32.const 2)))
  (func (export "canister_inspect_message")
    (call $note (i32.const 106)) (call $burn (i32.mul (call $size) (i32.const 100)))
    (if (i32.eqz (i32.and (call $size) (i32.const 1))) (then (call $accept_message))))
  (func (export "canister_update go") (call $run))
  (func (export "canister_query look") (call $run))
  (func (export "canister_composite_query ask") (call $run))
  (func (export "canister_query notes") (call $append (i32.const 65536) (i32.const 65536)) (call $reply)))`;
