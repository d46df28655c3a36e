/** Bytes that `heap` and `stable` reply. */
export const KEPT_BYTES = 60_000;

/**
 * Fills heap and stable memory at its installation; the queries `heap` and `stable` reply all of it, the updates `change`
 * and `change_stable` write to a part of it and reply. `name` makes it another module.
 */
export const keeperWat = (name: string): string => `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $read (param i64 i64 i64)))
  (memory 2)
  (data (i32.const 0) "${name}")
  (func $count (local $at i32)
    (loop $next
      (i32.store (i32.add (i32.const 4096) (local.get $at)) (i32.mul (local.get $at) (i32.const 40503)))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (i32.const ${KEPT_BYTES})))))
  (func (export "canister_init")
    (call $count)
    (drop (call $grow (i64.const 1)))
    (call $write (i64.const 0) (i64.const 4096) (i64.const ${KEPT_BYTES})))
  (func (export "canister_query heap")
    (call $append (i32.const 4096) (i32.const ${KEPT_BYTES})) (call $reply))
  (func (export "canister_query stable")
    (call $read (i64.const 65536) (i64.const 0) (i64.const ${KEPT_BYTES}))
    (call $append (i32.const 65536) (i32.const ${KEPT_BYTES})) (call $reply))
  (func (export "canister_update change")
    (i32.store (i32.const 20480) (i32.const 1)) (call $reply))
  (func (export "canister_update change_stable")
    (call $write (i64.const 20480) (i64.const 0) (i64.const 8)) (call $reply)))`;
