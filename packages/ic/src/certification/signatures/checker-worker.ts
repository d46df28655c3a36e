import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openBls } from '@cannery/bls';
import type { CheckRequest } from './checker.ts';

/** Entry of the thread that checks signatures of the root key. */

/** Niceness: threads that serve, sign and run canisters have 0. */
const LOW_PRIORITY = 10;
// Elsewhere the whole process would give way.
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY);

const publicKey = workerData as Uint8Array;
const opening = openBls();
// Listening from the beginning keeps the thread; what comes early waits, in its order.
parentPort?.on('message', async ({ message, signature }: CheckRequest) => {
  const { isGoodSignature } = await opening;
  parentPort?.postMessage(isGoodSignature(publicKey, signature, message));
});
