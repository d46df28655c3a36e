import { randomBytes } from 'node:crypto';
import { Cbor, type HashTree, LookupPathStatus, lookup_path, requestIdOf } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';

const LIFETIME_MS = 240_000;
const NANOS = 1_000_000n;

/** The canister, or the network, refused a call for good: sending it again would not help. */
export class CallRefusedError extends Error {
  override readonly name = 'CallRefusedError';
}

/** An anonymous update call that can be sent again as it is: the network must carry it out once. */
export class LeanCall {
  readonly #canister: Principal;
  readonly #requestId: Uint8Array;
  readonly #body: Uint8Array<ArrayBuffer>;

  constructor(canister: Principal, method: string, arg: Uint8Array) {
    const content = {
      request_type: 'call',
      canister_id: canister,
      method_name: method,
      arg,
      sender: Principal.anonymous().toUint8Array(),
      ingress_expiry: BigInt(Date.now() + LIFETIME_MS) * NANOS,
      nonce: new Uint8Array(randomBytes(16)),
    };
    this.#canister = canister;
    this.#requestId = requestIdOf(content);
    this.#body = new Uint8Array(Cbor.encode({ content }));
  }

  /** The reply, taken from the certificate without checking its signature. Throws when there is none yet. */
  async send(url: string): Promise<Uint8Array> {
    const response = await fetch(`${url}/api/v3/canister/${this.#canister}/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/cbor' },
      body: this.#body,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`status ${response.status}: ${Buffer.from(bytes)}`);
    const answer = Cbor.decode<Record<string, unknown>>(bytes);
    if (!(answer['certificate'] instanceof Uint8Array))
      throw new CallRefusedError(`the call was refused: ${String(answer['reject_message'])}`);
    const { tree } = Cbor.decode<{ tree: HashTree }>(answer['certificate']);
    const found = lookup_path(['request_status', this.#requestId, 'reply'], tree);
    if (found.status === LookupPathStatus.Found) return found.value;
    const reject = lookup_path(['request_status', this.#requestId, 'reject_message'], tree);
    const isRejected = reject.status === LookupPathStatus.Found;
    throw isRejected
      ? new CallRefusedError(`the call was rejected: ${Buffer.from(reject.value)}`)
      : new Error('the certificate shows no reply');
  }
}
