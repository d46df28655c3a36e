/**
 * The canisters of the crash runs, in WebAssembly text. Each keeps what it was told in several places at once, so
 * that a message that took effect in part shows. Replies are raw little-endian numbers of 8 bytes.
 */

const IMPORTS = `
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))`;

/** Clients a ledger keeps apart. */
const LEDGER_CLIENTS = 8;

/**
 * `add` (client u32, number u64) keeps for the client the last number, how many there were and their sum, in two
 * areas of the heap and in stable memory, and counts all in a global. `settle` does nothing. `audit` replies
 * these nine numbers for each client, then the count from memory and the global.
 */
export const LEDGER_WAT = `
(module ${IMPORTS}
  (memory 32)
  (global $total (mut i64) (i64.const 0))
  (func (export "canister_init") (drop (call $grow (i64.const 1))))
  (func (export "canister_update add") (local $a i32)
    (call $arg (i32.const 0) (i32.const 0) (i32.const 12))
    (local.set $a (i32.add (i32.const 65536) (i32.shl (i32.load (i32.const 0)) (i32.const 12))))
    (i64.store (local.get $a) (i64.load (i32.const 4)))
    (i64.store offset=8 (local.get $a) (i64.add (i64.load offset=8 (local.get $a)) (i64.const 1)))
    (i64.store offset=16 (local.get $a)
      (i64.add (i64.load offset=16 (local.get $a)) (i64.load (i32.const 4))))
    (memory.copy (i32.add (local.get $a) (i32.const 1048576)) (local.get $a) (i32.const 24))
    (call $stable_write (i64.shl (i64.load32_u (i32.const 0)) (i64.const 12))
      (i64.extend_i32_u (local.get $a)) (i64.const 24))
    (global.set $total (i64.add (global.get $total) (i64.const 1)))
    (i64.store (i32.const 64) (global.get $total))
    (call $append (local.get $a) (i32.const 24)) (call $reply))
  (func (export "canister_update settle") (call $reply))
  (func (export "canister_query audit") (local $client i32) (local $a i32)
    (loop $next
      (local.set $a (i32.add (i32.const 65536) (i32.shl (local.get $client) (i32.const 12))))
      (call $append (local.get $a) (i32.const 24))
      (call $append (i32.add (local.get $a) (i32.const 1048576)) (i32.const 24))
      (call $stable_read (i64.const 0)
        (i64.shl (i64.extend_i32_u (local.get $client)) (i64.const 12)) (i64.const 24))
      (call $append (i32.const 0) (i32.const 24))
      (br_if $next (i32.lt_u
        (local.tee $client (i32.add (local.get $client) (i32.const 1))) (i32.const ${LEDGER_CLIENTS}))))
    (call $append (i32.const 64) (i32.const 8))
    (i64.store (i32.const 0) (global.get $total))
    (call $append (i32.const 0) (i32.const 8)) (call $reply)))`;

/** Pages of 4 KiB that one stamp changes. */
const STAMPED_PAGES = 2_048;

/**
 * `stamp` (number u64) writes the number into 2,048 pages and the stable memory; `audit` replies the lowest and the
 * highest of them, that of the stable memory, and how many stamps there were.
 */
export const STAMPS_WAT = `
(module ${IMPORTS}
  (memory 130)
  (global $count (mut i64) (i64.const 0))
  (func (export "canister_init") (drop (call $grow (i64.const 1))))
  (func (export "canister_update stamp") (local $page i32)
    (call $arg (i32.const 0) (i32.const 0) (i32.const 8))
    (loop $next
      (i64.store (i32.add (i32.const 65536) (i32.shl (local.get $page) (i32.const 12))) (i64.load (i32.const 0)))
      (br_if $next (i32.lt_u
        (local.tee $page (i32.add (local.get $page) (i32.const 1))) (i32.const ${STAMPED_PAGES}))))
    (call $stable_write (i64.const 8192) (i64.const 0) (i64.const 8))
    (global.set $count (i64.add (global.get $count) (i64.const 1)))
    (call $append (i32.const 0) (i32.const 8)) (call $reply))
  (func (export "canister_query audit") (local $page i32) (local $word i64) (local $low i64) (local $high i64)
    (local.set $low (i64.const -1))
    (loop $next
      (local.set $word (i64.load (i32.add (i32.const 65536) (i32.shl (local.get $page) (i32.const 12)))))
      (if (i64.lt_u (local.get $word) (local.get $low)) (then (local.set $low (local.get $word))))
      (if (i64.gt_u (local.get $word) (local.get $high)) (then (local.set $high (local.get $word))))
      (br_if $next (i32.lt_u
        (local.tee $page (i32.add (local.get $page) (i32.const 1))) (i32.const ${STAMPED_PAGES}))))
    (i64.store (i32.const 0) (local.get $low))
    (i64.store (i32.const 8) (local.get $high))
    (call $stable_read (i64.const 16) (i64.const 8192) (i64.const 8))
    (i64.store (i32.const 24) (global.get $count))
    (call $append (i32.const 0) (i32.const 32)) (call $reply)))`;

/** What a bank starts with. */
export const BANK_FUNDS = 1_000_000n;

/**
 * `transfer` moves one unit to the peer, whose ID is the argument (first byte: its length), by a call to `deposit`;
 * if that is rejected, it takes the unit back. `audit` replies the balance and the units under way.
 */
export const BANK_WAT = `
(module ${IMPORTS}
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 3)
  (table funcref (elem $delivered $returned))
  (data (i32.const 1024) "deposit")
  (func $add (param $at i32) (param $amount i64)
    (i64.store (local.get $at) (i64.add (i64.load (local.get $at)) (local.get $amount))))
  (func (export "canister_init") (i64.store (i32.const 65536) (i64.const ${BANK_FUNDS})))
  (func (export "canister_update transfer")
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (call $add (i32.const 65536) (i64.const -1))
    (call $add (i32.const 131072) (i64.const 1))
    (call $call_new (i32.const 1) (i32.load8_u (i32.const 0)) (i32.const 1024) (i32.const 7)
      (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0))
    (if (call $perform) (then (unreachable))))
  (func $delivered (param i32) (call $add (i32.const 131072) (i64.const -1)) (call $reply))
  (func $returned (param i32)
    (call $add (i32.const 65536) (i64.const 1)) (call $add (i32.const 131072) (i64.const -1)) (call $reply))
  (func (export "canister_update deposit") (call $add (i32.const 65536) (i64.const 1)) (call $reply))
  (func (export "canister_query audit")
    (call $append (i32.const 65536) (i32.const 8)) (call $append (i32.const 131072) (i32.const 8)) (call $reply)))`;

/** Counts every 20 ms by its timer, in two areas of the heap and in stable memory; `audit` replies the three. */
export const CLOCK_WAT = `
(module ${IMPORTS}
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "global_timer_set" (func $timer (param i64) (result i64)))
  (memory 3)
  (func $arm (drop (call $timer (i64.add (call $time) (i64.const 20000000)))))
  (func (export "canister_init") (drop (call $grow (i64.const 1))) (call $arm))
  (func (export "canister_global_timer")
    (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
    (i64.store (i32.const 131072) (i64.load (i32.const 0)))
    (call $stable_write (i64.const 0) (i64.const 0) (i64.const 8))
    (call $arm))
  (func (export "canister_query audit")
    (call $append (i32.const 0) (i32.const 8)) (call $append (i32.const 131072) (i32.const 8))
    (call $stable_read (i64.const 16) (i64.const 0) (i64.const 8))
    (call $append (i32.const 16) (i32.const 8)) (call $reply)))`;

/**
 * Code with a number in it. Installing it takes the same number as argument and keeps it in heap and stable memory;
 * `audit` replies the code's, the heap's and the stable number, and how often an upgrade began and ended.
 */
export function versionWat(number: number): string {
  return `
(module ${IMPORTS}
  (memory 1)
  (func $count (param $at i64)
    (call $stable_read (i64.const 32) (local.get $at) (i64.const 8))
    (i64.store (i32.const 32) (i64.add (i64.load (i32.const 32)) (i64.const 1)))
    (call $stable_write (local.get $at) (i64.const 32) (i64.const 8)))
  (func $keep
    (call $arg (i32.const 0) (i32.const 0) (i32.const 8))
    (call $stable_write (i64.const 0) (i64.const 0) (i64.const 8)))
  (func (export "canister_init") (drop (call $grow (i64.const 1))) (call $keep))
  (func (export "canister_pre_upgrade") (call $count (i64.const 4096)))
  (func (export "canister_post_upgrade") (call $count (i64.const 8192)) (call $keep))
  (func (export "canister_query audit")
    (i64.store (i32.const 40) (i64.const ${number}))
    (call $append (i32.const 40) (i32.const 8)) (call $append (i32.const 0) (i32.const 8))
    (call $stable_read (i64.const 48) (i64.const 0) (i64.const 8))
    (call $stable_read (i64.const 56) (i64.const 4096) (i64.const 8))
    (call $stable_read (i64.const 64) (i64.const 8192) (i64.const 8))
    (call $append (i32.const 48) (i32.const 24)) (call $reply)))`;
}
