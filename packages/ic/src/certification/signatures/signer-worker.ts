import { parentPort, workerData } from 'node:worker_threads';
import { SigningKey } from '@cannery/bls';
import { saveCompiledCode } from '../../save-compiled-code.ts';
import type { SignerReply, SignerRequest } from './signer.ts';

/** Signatures made before anybody waits, until the engine has made the code of the curve fast. */
const WARM_UP = 3;

const key = new SigningKey(workerData as Uint8Array);
const publicKey = key.publicKey();
for (let count = 0; count < WARM_UP; count += 1) key.sign(new Uint8Array(32));

parentPort?.on('message', ({ id, message }: SignerRequest) => {
  const bytes = message === undefined ? publicKey : key.sign(message);
  parentPort?.postMessage({ id, bytes } satisfies SignerReply);
});
saveCompiledCode();
