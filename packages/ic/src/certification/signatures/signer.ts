import { Worker } from 'node:worker_threads';
import { utf8 } from '../bytes.ts';
import { Checker } from './checker.ts';
import { ed25519Signer, type Sign } from './ed25519.ts';
import { domainSeparator, sha256 } from './hash.ts';
import type { NetworkKeys } from './keys.ts';
import { fixedMapHash, hashOfMap, hashOfNatural } from './representation-hash.ts';

/** A question to the signing thread: for a signature, or without a message for the public key. */
export interface SignerRequest {
  readonly id: number;
  readonly message?: Uint8Array;
}
/** Its answer, with the id of the question. */
export interface SignerReply {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** The signing thread ended while signatures were wanted. */
class SignerStoppedError extends Error {
  override readonly name = 'SignerStoppedError';
}

/** Signs state roots with the network's root key, on its own thread. */
export interface RootSigner {
  /** The 48-byte BLS signature over `rootHash`. */
  sign(rootHash: Uint8Array): Promise<Uint8Array>;
  /**
   * Whether `signature` over `rootHash` was ever made with this network's root key; takes about 6 ms, in a thread that signs
   * nothing. Rejects with `CheckerBusyError` when too many of `asker`, or of all, wait for that.
   */
  verify(rootHash: Uint8Array, signature: Uint8Array, asker: string): Promise<boolean>;
  close(): Promise<void>;
}

const STATE_ROOT_DOMAIN = domainSeparator('ic-state-root');

/** Starts the signing thread for `secretKey` (a 32-byte BLS12-381 scalar). */
export function startSigner(secretKey: Uint8Array): RootSigner {
  const worker = new Worker(new URL('./signer-worker.ts', import.meta.url), { workerData: secretKey });
  const waiting = new Map<number, PromiseWithResolvers<SignerReply>>();
  let nextId = 0;
  let stopped: SignerStoppedError | undefined;
  const stop = (reason: string): void => {
    stopped ??= new SignerStoppedError(reason);
    for (const { reject } of waiting.values()) reject(stopped);
    waiting.clear();
  };
  worker.on('message', (reply: SignerReply) => {
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  });
  worker.on('error', (error) =>
    stop(`the signing thread failed: ${error instanceof Error ? error.message : error}`),
  );
  worker.on('exit', () => stop('the signing thread has ended'));

  const ask = async (message?: Uint8Array): Promise<Uint8Array> => {
    if (stopped) throw stopped;
    const id = nextId;
    nextId += 1;
    const result = Promise.withResolvers<SignerReply>();
    waiting.set(id, result);
    const request: SignerRequest = { id, ...(message && { message }) };
    worker.postMessage(request);
    return (await result.promise).bytes;
  };
  let checker: Promise<Checker> | undefined;
  const startChecker = async (): Promise<Checker> => new Checker(await ask());
  const messageOf = (rootHash: Uint8Array): Uint8Array => Buffer.concat([STATE_ROOT_DOMAIN, rootHash]);

  return {
    sign: (rootHash) => ask(messageOf(rootHash)),
    async verify(rootHash, signature, asker) {
      checker ??= startChecker();
      return (await checker).check({ message: messageOf(rootHash), signature }, asker);
    },
    async close() {
      stop('the network is closing');
      const started = await checker?.catch(() => undefined);
      await Promise.all([worker.terminate(), started?.close()]);
    },
  };
}

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
