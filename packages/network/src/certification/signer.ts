import { Worker } from 'node:worker_threads';
import { domainSeparator } from './hash.ts';

export interface SignerRequest {
  readonly id: number;
  readonly message: Uint8Array;
}
export interface SignerReply {
  readonly id: number;
  readonly signature: Uint8Array;
}

/** The signing thread ended while signatures were wanted. */
export class SignerStoppedError extends Error {
  override readonly name = 'SignerStoppedError';
}

/** Signs state roots with the network's root key, on a thread of its own. */
export interface RootSigner {
  /** The 48-byte BLS signature over `rootHash`. */
  sign(rootHash: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

const STATE_ROOT_DOMAIN = domainSeparator('ic-state-root');

/** Starts the signing thread for `secretKey` (a 32-byte BLS12-381 scalar). */
export function startSigner(secretKey: Uint8Array): RootSigner {
  const worker = new Worker(new URL('./signer-worker.ts', import.meta.url), { workerData: secretKey });
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  let nextId = 0;
  let stopped: SignerStoppedError | undefined;
  const stop = (reason: string): void => {
    stopped ??= new SignerStoppedError(reason);
    for (const { reject } of waiting.values()) reject(stopped);
    waiting.clear();
  };
  worker.on('message', ({ id, signature }: SignerReply) => {
    waiting.get(id)?.resolve(signature);
    waiting.delete(id);
  });
  worker.on('error', (error) =>
    stop(`the signing thread failed: ${error instanceof Error ? error.message : error}`),
  );
  worker.on('exit', () => stop('the signing thread has ended'));

  return {
    sign(rootHash) {
      if (stopped) return Promise.reject(stopped);
      const id = nextId;
      nextId += 1;
      const result = Promise.withResolvers<Uint8Array>();
      waiting.set(id, result);
      const request: SignerRequest = { id, message: Buffer.concat([STATE_ROOT_DOMAIN, rootHash]) };
      worker.postMessage(request);
      return result.promise;
    },
    async close() {
      stop('the network is closing');
      await worker.terminate();
    },
  };
}
