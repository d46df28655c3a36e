import { parentPort, workerData } from 'node:worker_threads';
import { openBls } from '@cannery/bls';
import { saveCompiledCode } from '../../save-compiled-code.ts';
import type { SignerReply, SignerRequest } from './signer.ts';

/** Signatures made before anybody waits, until the engine has made the code of the curve fast. */
const WARM_UP = 3;

async function open() {
  const { signingKey } = await openBls();
  const key = signingKey(workerData as Uint8Array);
  const publicKey = key.publicKey();
  for (let count = 0; count < WARM_UP; count += 1) key.sign(new Uint8Array(32));
  return { key, publicKey };
}

const opening = open();
// Listening from the beginning keeps the thread; what comes early waits, in its order.
parentPort?.on('message', async ({ id, message }: SignerRequest) => {
  const { key, publicKey } = await opening;
  const bytes = message === undefined ? publicKey : key.sign(message);
  parentPort?.postMessage({ id, bytes } satisfies SignerReply);
});
void opening.then(saveCompiledCode);
