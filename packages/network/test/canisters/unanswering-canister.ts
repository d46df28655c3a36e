import { pageWith, T } from '../hostile/hostile-pages.ts';

const escaped = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

/** Asks for an update call. */
const UPGRADE = pageWith('upgrade', [[T.opt, T.bool]], 4, [1, 1]);
const [METHOD_AT, UPGRADE_AT] = [0, 64];

/**
 * `http_request` asks for the update call `http_request_update`, which waits for random numbers for ever and never answers.
 */
export const UNANSWERING_WAT = `(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "call_new" (func $new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 1)
  (table 1 funcref)
  (elem (i32.const 0) $again)
  (data (i32.const ${METHOD_AT}) "raw_rand")
  (data (i32.const ${UPGRADE_AT}) "${escaped(UPGRADE)}")
  (func $again (param $environment i32)
    (call $new (i32.const 0) (i32.const 0) (i32.const ${METHOD_AT}) (i32.const 8)
      (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (drop (call $perform)))
  (func (export "canister_query http_request")
    (call $append (i32.const ${UPGRADE_AT}) (i32.const ${UPGRADE.length}))
    (call $reply))
  (func (export "canister_update http_request_update") (call $again (i32.const 0))))`;
