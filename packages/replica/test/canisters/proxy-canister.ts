import { IDL } from '@icp-sdk/core/candid';
import { MANAGEMENT_METHODS } from '../../src/management/table.ts';
import { decodeManagement, encodeManagement, Rejected, type TestClient } from '../engine-client.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/**
 * Calls a method of the management canister for its caller, as users cannot call most of them. `call` takes 8 bytes of
 * cycles (little-endian), the length of the method's name, the name and the argument, and replies 0 and the reply, or
 * 1, the reject code and the reject message. `ask` does the same as a composite query.
 */
export const PROXY_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "msg_reject_code" (func $reject_code (result i32)))
  (import "ic0" "msg_reject_msg_size" (func $reject_size (result i32)))
  (import "ic0" "msg_reject_msg_copy" (func $reject (param i32 i32 i32)))
  (import "ic0" "call_new" (func $call_new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_cycles_add" (func $cycles (param i64)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (memory 96)
  (table funcref (elem $on_reply $on_reject))
  (func $on_reply (param i32)
    (i32.store8 (i32.const 65535) (i32.const 0))
    (call $arg (i32.const 65536) (i32.const 0) (call $size))
    (call $append (i32.const 65535) (i32.add (call $size) (i32.const 1))) (call $reply))
  (func $on_reject (param i32)
    (i32.store8 (i32.const 65534) (i32.const 1))
    (i32.store8 (i32.const 65535) (call $reject_code))
    (call $reject (i32.const 65536) (i32.const 0) (call $reject_size))
    (call $append (i32.const 65534) (i32.add (call $reject_size) (i32.const 2))) (call $reply))
  (func $send (param $with_cycles i32)
    (local $name i32)
    (call $arg (i32.const 65536) (i32.const 0) (call $size))
    (local.set $name (i32.load8_u (i32.const 65544)))
    (call $call_new (i32.const 0) (i32.const 0) (i32.const 65545) (local.get $name)
      (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0))
    (call $data (i32.add (i32.const 65545) (local.get $name))
      (i32.sub (call $size) (i32.add (i32.const 9) (local.get $name))))
    (if (local.get $with_cycles) (then (call $cycles (i64.load (i32.const 65536)))))
    (if (call $perform) (then unreachable)))
  (func (export "canister_update call") (call $send (i32.const 1)))
  (func (export "canister_composite_query ask") (call $send (i32.const 0))))`;

/** A canister that calls the management canister for the tests. */
export class Proxy {
  readonly id: Uint8Array;
  readonly #client: TestClient;

  private constructor(client: TestClient, id: Uint8Array) {
    this.#client = client;
    this.id = id;
  }

  static async deploy(client: TestClient, cycles = 10n ** 18n): Promise<Proxy> {
    return new Proxy(client, await client.deploy(wat(PROXY_WAT), { cycles }));
  }

  /** The reply as a value; throws `Rejected` with the reject code the canister saw. */
  async call(method: string, arg: object | undefined, cycles = 0n): Promise<unknown> {
    return decodeManagement(method, await this.callRaw(method, encode(method, arg), cycles));
  }

  async callRaw(method: string, arg: Uint8Array, cycles = 0n): Promise<Uint8Array> {
    return outcome(await this.#client.update(this.id, 'call', proxyRequest(method, arg, cycles)));
  }

  /** As `call`, from a composite query. */
  async ask(method: string, arg: object | undefined): Promise<unknown> {
    const reply = await this.#client.query(this.id, 'ask', proxyRequest(method, encode(method, arg), 0n));
    return decodeManagement(method, outcome(reply));
  }
}

function encode(method: string, arg: object | undefined): Uint8Array {
  if (!MANAGEMENT_METHODS.get(method)?.argType) return new Uint8Array(IDL.encode([], []));
  return encodeManagement(method, arg ?? {});
}

export function proxyRequest(method: string, arg: Uint8Array, cycles: bigint): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeBigUInt64LE(cycles);
  head.writeUInt8(method.length, 8);
  return new Uint8Array(Buffer.concat([head, Buffer.from(method), arg]));
}

function outcome(reply: Uint8Array): Uint8Array {
  if (reply[0] === 0) return reply.slice(1);
  throw new Rejected('', reply[1] ?? 0, new TextDecoder().decode(reply.subarray(2)), true);
}
