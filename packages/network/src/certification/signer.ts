import { Worker } from 'node:worker_threads';
import { domainSeparator } from './hash.ts';

/** A question to the signing thread. */
export interface SignerRequest {
  readonly id: number;
  readonly message: Uint8Array;
  /** Given: check this signature instead of making one. */
  readonly signature?: Uint8Array;
}
/** Its answer, with the id of the question. */
export type SignerReply =
  | { readonly id: number; readonly signature: Uint8Array }
  | { readonly id: number; readonly valid: boolean };

/** The signing thread ended while signatures were wanted. */
export class SignerStoppedError extends Error {
  override readonly name = 'SignerStoppedError';
}

/** Signs state roots with the network's root key, on a thread of its own. */
export interface RootSigner {
  /** The 48-byte BLS signature over `rootHash`. */
  sign(rootHash: Uint8Array): Promise<Uint8Array>;
  /** Whether `signature` over `rootHash` was ever made with this network's root key; takes about 6 ms. */
  verify(rootHash: Uint8Array, signature: Uint8Array): Promise<boolean>;
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

  const ask = (rootHash: Uint8Array, signature?: Uint8Array): Promise<SignerReply> => {
    if (stopped) return Promise.reject(stopped);
    const id = nextId;
    nextId += 1;
    const result = Promise.withResolvers<SignerReply>();
    waiting.set(id, result);
    const message = Buffer.concat([STATE_ROOT_DOMAIN, rootHash]);
    const request: SignerRequest = { id, message, ...(signature && { signature }) };
    worker.postMessage(request);
    return result.promise;
  };

  return {
    async sign(rootHash) {
      const reply = await ask(rootHash);
      if ('signature' in reply) return reply.signature;
      throw new SignerStoppedError('the signing thread answered another question');
    },
    async verify(rootHash, signature) {
      const reply = await ask(rootHash, signature);
      return 'valid' in reply && reply.valid;
    },
    async close() {
      stop('the network is closing');
      await worker.terminate();
    },
  };
}
