import { utf8 } from '../bytes.ts';
import { ed25519Signer, type Sign } from './ed25519.ts';
import { domainSeparator, sha256 } from './hash.ts';
import type { NetworkKeys } from './keys.ts';
import { fixedMapHash, hashOfMap, hashOfNatural } from './representation-hash.ts';

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

/** Signs the answers to queries with the node's key. */
export class NodeSigner {
  readonly #signWithKey: Sign;
  readonly #identity: Uint8Array;

  constructor({ nodeKey, nodeId }: Pick<NetworkKeys, 'nodeKey' | 'nodeId'>) {
    this.#signWithKey = ed25519Signer(nodeKey);
    this.#identity = nodeId;
  }

  /** Signs a reply as given at `timestamp` (Unix time in nanoseconds). */
  signReply(arg: Uint8Array, requestId: Uint8Array, timestamp: bigint): Promise<NodeSignature> {
    const reply = hashOfReply([sha256(arg)]);
    return this.#sign(
      hashOfReplied([REPLIED, reply, hashOfNatural(timestamp), sha256(requestId)]),
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
    const signature = await this.#signWithKey(Buffer.concat([RESPONSE_DOMAIN, responseHash]));
    return { timestamp, signature, identity: this.#identity };
  }
}
