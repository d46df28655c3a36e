import type { HttpAgent } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { deploy } from '../agent.ts';
import { wat } from '../../../wasm/test/text-format.ts';

/** Where each answer is in the memory of the canister, 2 MiB for each; the length comes before it. */
const [ARGUMENT, PAGE, PIECES] = [1 << 20, 4 << 20, 8 << 20];
const SLOT_BITS = 21;

/**
 * Answers web requests with whatever bytes it was told to: `http_request` those of `page`, `next` those of the piece whose
 * digit is the last byte of its argument, the end of a token. `piece` takes the digit and the bytes.
 * `certify` sets the certified data, `certificate` replies the certificate of that.
 */
const SCRIPTED_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (import "ic0" "data_certificate_size" (func $certificate_size (result i32)))
  (import "ic0" "data_certificate_copy" (func $certificate (param i32 i32 i32)))
  (memory 384)
  (func $store (param $at i32) (param $from i32)
    (i32.store (local.get $at) (i32.sub (call $size) (local.get $from)))
    (call $arg (i32.add (local.get $at) (i32.const 4)) (local.get $from) (i32.load (local.get $at)))
    (call $reply))
  (func $slot (param $digit_at i32) (result i32)
    (call $arg (i32.const ${ARGUMENT}) (local.get $digit_at) (i32.const 1))
    (i32.add (i32.const ${PIECES})
      (i32.shl (i32.and (i32.load8_u (i32.const ${ARGUMENT})) (i32.const 7)) (i32.const ${SLOT_BITS}))))
  (func $answer (param $at i32)
    (call $append (i32.add (local.get $at) (i32.const 4)) (i32.load (local.get $at)))
    (call $reply))
  (func (export "canister_update page") (call $store (i32.const ${PAGE}) (i32.const 0)))
  (func (export "canister_update piece") (call $store (call $slot (i32.const 0)) (i32.const 1)))
  (func (export "canister_update certify")
    (call $arg (i32.const 0) (i32.const 0) (call $size))
    (call $certify (i32.const 0) (call $size))
    (call $reply))
  (func (export "canister_query certificate")
    (call $certificate (i32.const 0) (i32.const 0) (call $certificate_size))
    (call $append (i32.const 0) (call $certificate_size))
    (call $reply))
  (func (export "canister_query http_request") (call $answer (i32.const ${PAGE})))
  (func (export "canister_update http_request_update") (call $answer (i32.const ${PAGE})))
  (func (export "canister_query next")
    (call $answer (call $slot (i32.sub (call $size) (i32.const 1))))))`;

/** A canister whose web pages are the bytes of a test. */
export class ScriptedCanister {
  readonly id: Principal;
  readonly #agent: HttpAgent;

  private constructor(agent: HttpAgent, id: Principal) {
    this.#agent = agent;
    this.id = id;
  }

  static async deploy(agent: HttpAgent): Promise<ScriptedCanister> {
    return new ScriptedCanister(agent, await deploy(agent, wat(SCRIPTED_WAT)));
  }

  /** What `http_request` answers from now on, at most some 1.9 MB. */
  page(reply: Uint8Array): Promise<void> {
    return this.#update('page', reply);
  }

  /** What the streaming callback answers from now on to the token `digit`, one of 0 to 7. */
  piece(digit: string, reply: Uint8Array): Promise<void> {
    return this.#update('piece', Buffer.concat([Buffer.from(digit), reply]));
  }

  /** Sets 32 bytes as the certified data and returns a certificate of that. */
  async certify(data: Uint8Array): Promise<Uint8Array> {
    await this.#update('certify', data);
    const result = await this.#agent.query(this.id, { methodName: 'certificate', arg: new Uint8Array() });
    if (result.status !== 'replied') throw new Error('no certificate');
    return result.reply.arg;
  }

  async #update(methodName: string, arg: Uint8Array): Promise<void> {
    await this.#agent.update(this.id, { methodName, arg });
  }
}
