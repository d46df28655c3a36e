/** Canisters in WebAssembly text that spend cycles in known ways; their replies are raw bytes. */

/** The bytes of a canister ID as text format has them in a data segment. */
export const dataOf = (id: Uint8Array): string =>
  [...id].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

/**
 * What every update of it costs in instructions can be counted by hand: `tick` replies, `ask` calls `tick` of the
 * canister `peer` and replies, `burn` burns 5,000,000,000 cycles.
 */
export const spenderWat = (peer: Uint8Array): string => `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "cycles_burn128" (func $burn (param i64 i64 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (data (i32.const 0) "${dataOf(peer)}")
  (data (i32.const 32) "tick")
  (table funcref (elem $done))
  (func $done (param i32) (call $reply))
  (func (export "canister_update tick") (call $reply))
  (func (export "canister_query look") (call $reply))
  (func (export "canister_update ask")
    (call $call_new
      (i32.const 0) (i32.const ${peer.length}) (i32.const 32) (i32.const 4)
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (drop (call $perform)))
  (func (export "canister_update burn")
    (call $burn (i64.const 0) (i64.const 5000000000) (i32.const 64)) (call $reply)))`;

/** Grows its stable memory by as many pages as the first four bytes of the argument say, in `grow`. */
export const GROWER_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (memory 1)
  (func (export "canister_update grow")
    (call $arg (i32.const 0) (i32.const 0) (i32.const 4))
    (drop (call $grow (i64.load32_u (i32.const 0))))
    (call $reply)))`;

/** Sets its timer again every hour and counts; `count` replies how often and the time of the last turn. */
export const HOURLY_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (memory 1)
  (func $arm (drop (call $timer (i64.add (call $time) (i64.const 3600000000000)))))
  (func (export "canister_init") (call $arm))
  (func (export "canister_global_timer")
    (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
    (i64.store (i32.const 8) (call $time))
    (call $arm))
  (func (export "canister_query count") (call $append (i32.const 0) (i32.const 16)) (call $reply)))`;

/**
 * `wait` asks for randomness again and again until its timer, set for a second later, has fired or it has asked 200
 * times, and replies how often it asked. A canister that polls like this leaves time nothing but the rounds between.
 */
export const POLLING_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (memory 1)
  (data (i32.const 32) "raw_rand")
  (data (i32.const 64) "DIDL\\00\\00")
  (table funcref (elem $answered))
  (func $ask
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (call $call_new
      (i32.const 0) (i32.const 0) (i32.const 32) (i32.const 8)
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (call $data (i32.const 64) (i32.const 6))
    (drop (call $perform)))
  (func $answered (param i32)
    (if (i32.or (i32.load (i32.const 4)) (i32.ge_u (i32.load (i32.const 0)) (i32.const 200)))
      (then (call $append (i32.const 0) (i32.const 8)) (call $reply))
      (else (call $ask))))
  (func (export "canister_global_timer") (i32.store (i32.const 4) (i32.const 1)))
  (func (export "canister_update wait")
    (drop (call $timer (i64.add (call $time) (i64.const 1000000000))))
    (call $ask)))`;

/**
 * Moves cycles as its argument says. First byte of `go`: 0 accept all, 1 accept half, 2 trap, 3 call and reply, 4 call
 * without waiting, 5 burn, 6 grow, 7 reject, 8 call and trap in the callback. A call goes to the peer in the second
 * byte, with as many thousand millions of cycles as the third says and the rest of the argument.
 */
export const traderWat = (peers: readonly Uint8Array[]): string => `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reject" (func $reject (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "msg_cycles_available128" (func $available (param i32)))
  (import "ic0" "msg_cycles_accept128" (func $accept (param i64 i64 i32)))
  (import "ic0" "cycles_burn128" (func $burn (param i64 i64 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_cycles_add128" (func $add (param i64 i64)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (data (i32.const 900) "go")
  ${peers.map((peer, index) => `(data (i32.const ${1000 + 16 * index}) "${dataOf(peer)}")`).join('\n  ')}
  (table funcref (elem $done $fail))
  (func $done (param i32) (call $reply))
  (func $fail (param i32) (unreachable))
  (func $send (param $callback i32)
    (call $call_new
      (i32.add (i32.const 1000) (i32.mul (i32.const 16) (i32.load8_u (i32.const 1)))) (i32.const 10)
      (i32.const 900) (i32.const 2)
      (local.get $callback) (i32.const 0) (local.get $callback) (i32.const 0))
    (call $data (i32.const 3) (i32.sub (call $size) (i32.const 3)))
    (call $add (i64.const 0) (i64.mul (i64.load8_u (i32.const 2)) (i64.const 1000000000)))
    (drop (call $perform)))
  (func (export "canister_update go") (local $op i32)
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (local.set $op (i32.load8_u (i32.const 0)))
    (call $available (i32.const 800))
    (if (i32.eqz (local.get $op))
      (then (call $accept (i64.const 0) (i64.load (i32.const 800)) (i32.const 800)) (call $reply)))
    (if (i32.eq (local.get $op) (i32.const 1))
      (then
        (call $accept (i64.const 0) (i64.shr_u (i64.load (i32.const 800)) (i64.const 1)) (i32.const 800))
        (call $reply)))
    (if (i32.eq (local.get $op) (i32.const 2)) (then (unreachable)))
    (if (i32.eq (local.get $op) (i32.const 3))
      (then (call $accept (i64.const 0) (i64.load (i32.const 800)) (i32.const 800)) (call $send (i32.const 0))))
    (if (i32.eq (local.get $op) (i32.const 4)) (then (call $send (i32.const -1)) (call $reply)))
    (if (i32.eq (local.get $op) (i32.const 5))
      (then (call $burn (i64.const 0) (i64.const 1000000000) (i32.const 800)) (call $reply)))
    (if (i32.eq (local.get $op) (i32.const 6)) (then (drop (call $grow (i64.const 1))) (call $reply)))
    (if (i32.eq (local.get $op) (i32.const 7)) (then (call $reject (i32.const 900) (i32.const 2))))
    (if (i32.eq (local.get $op) (i32.const 8)) (then (call $send (i32.const 1)))))) `;
