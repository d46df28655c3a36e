import { wat } from '../../../packages/wasm/test/text-format.ts';

const INTERFACE = 'service : { inc : () -> (nat64); get : () -> (nat64) query }';

/** A counter that answers in Candid, written by hand so that it takes a few hundred bytes of the package. */
const SOURCE = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (data (i32.const 0) "DIDL\\00\\01\\78")
  (func $tell (call $append (i32.const 0) (i32.const 15)) (call $reply))
  (func (export "canister_update inc")
    (i64.store (i32.const 7) (i64.add (i64.load (i32.const 7)) (i64.const 1)))
    (call $tell))
  (func (export "canister_query get") (call $tell)))`;

/** A text behind its length, which is less than 128. */
const word = (text: string): Uint8Array => Buffer.from([text.length, ...Buffer.from(text)]);

/** The module of the canister that the README of the package deploys, with its interface as `icp` looks for it. */
export function exampleCanister(): Uint8Array {
  const content = Buffer.concat([word('icp:public candid:service'), Buffer.from(INTERFACE)]);
  return Buffer.concat([wat(SOURCE), Buffer.from([0, content.length]), content]);
}
