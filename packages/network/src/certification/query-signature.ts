import type { KeyObject } from 'node:crypto';
import { encodeLeb128, utf8 } from './bytes.ts';
import { Ed25519Signer } from './ed25519-signer.ts';
import { domainSeparator, sha256 } from './hash.ts';
import type { NetworkKeys } from './keys.ts';
import { fixedMapHash, hashOfMap } from './representation-hash.ts';

const RESPONSE_DOMAIN = domainSeparator('ic-response');
const REPLIED = sha256(utf8('replied'));
const hashOfReply = fixedMapHash(['arg']);
const hashOfReplied = fixedMapHash(['status', 'reply', 'timestamp', 'request_id']);

/** The node's word for a query answer; agents check it against the node key in `/subnet`. */
export interface NodeSignature {
  readonly timestamp: bigint;
  readonly signature: Uint8Array;
  readonly identity: Uint8Array;
}

interface Waiting {
  readonly message: Uint8Array;
  readonly resolve: (signature: Uint8Array) => void;
}

/** Signs the answers to queries with the node's key; answers that are ready together are signed together. */
export class NodeSigner {
  readonly #signer: Ed25519Signer;
  readonly #identity: Uint8Array;
  #waiting: Waiting[] = [];

  constructor({ nodeKey, nodePublicKey, nodeId }: Pick<NetworkKeys, 'nodeKey' | 'nodePublicKey' | 'nodeId'>) {
    this.#signer = new Ed25519Signer(seedOf(nodeKey), nodePublicKey.subarray(-32));
    this.#identity = nodeId;
  }

  /** Signs a reply as given at `timestamp` (Unix time in nanoseconds). */
  signReply(arg: Uint8Array, requestId: Uint8Array, timestamp: bigint): Promise<NodeSignature> {
    const reply = hashOfReply([sha256(arg)]);
    return this.#sign(
      hashOfReplied([REPLIED, reply, sha256(encodeLeb128(timestamp)), sha256(requestId)]),
      timestamp,
    );
  }

  /** Signs an answer of any kind as given at `timestamp`. */
  signResponse(
    response: Readonly<Record<string, unknown>>,
    requestId: Uint8Array,
    timestamp: bigint,
  ): Promise<NodeSignature> {
    return this.#sign(hashOfMap({ ...response, timestamp, request_id: requestId }), timestamp);
  }

  async #sign(responseHash: Uint8Array, timestamp: bigint): Promise<NodeSignature> {
    const message = Buffer.concat([RESPONSE_DOMAIN, responseHash]);
    const signature = await new Promise<Uint8Array>((resolve) => {
      // The answers of one batch come one after the other, each in its own microtask; this one runs after them.
      if (this.#waiting.length === 0) queueMicrotask(() => this.#signWaiting());
      this.#waiting.push({ message, resolve });
    });
    return { timestamp, signature, identity: this.#identity };
  }

  #signWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const signatures = this.#signer.signAll(waiting.map(({ message }) => message));
    waiting.forEach(({ resolve }, index) => {
      const signature = signatures[index];
      if (signature) resolve(signature);
    });
  }
}

function seedOf(key: KeyObject): Uint8Array {
  // PKCS #8 of Ed25519 (RFC 8410) ends with the 32 bytes of the private key.
  return key.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
}
