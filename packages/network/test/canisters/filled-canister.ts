/**
 * `fill` writes pseudo-random words over the heap, from the seed and up to the number of bytes in its argument, and
 * one into the stable memory; `sum` replies a sum over both (8 bytes).
 */
export const FILLED_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (memory 1)
  (global $bytes (mut i32) (i32.const 16))
  (func (export "canister_update fill") (local $at i32) (local $word i64)
    (call $arg (i32.const 0) (i32.const 0) (i32.const 8))
    (local.set $word (i64.load32_u (i32.const 0)))
    (global.set $bytes (i32.load (i32.const 4)))
    (drop (memory.grow (i32.shr_u (global.get $bytes) (i32.const 16))))
    (local.set $at (i32.const 16))
    (loop $next
      (local.set $word (i64.add (i64.mul (local.get $word) (i64.const 6364136223846793005)) (i64.const 1442695040888963407)))
      (i64.store (local.get $at) (local.get $word))
      (local.set $at (i32.add (local.get $at) (i32.const 4096)))
      (br_if $next (i32.lt_u (local.get $at) (global.get $bytes))))
    (drop (call $grow (i64.const 1)))
    (i64.store (i32.const 8) (local.get $word))
    (call $stable_write (i64.const 8192) (i64.const 8) (i64.const 8))
    (call $reply))
  (func (export "canister_query sum") (local $at i32) (local $sum i64)
    (local.set $at (i32.const 16))
    (loop $next
      (local.set $sum (i64.add (i64.mul (local.get $sum) (i64.const 31)) (i64.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 4096)))
      (br_if $next (i32.lt_u (local.get $at) (global.get $bytes))))
    (call $stable_read (i64.const 0) (i64.const 8192) (i64.const 8))
    (i64.store (i32.const 8) (i64.add (local.get $sum) (i64.load (i32.const 0))))
    (call $append (i32.const 8) (i32.const 8)) (call $reply)))`;

/** The argument of `fill`; every page of 4 KiB gets one word. */
export function fillArgument(seed: number, bytes: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(seed, bytes).buffer);
}
