import { parentPort } from 'node:worker_threads';
import { openBls } from '@cannery/bls';
import type { SignatureQuestion, SignatureAnswer } from './signature-thread.ts';

const opening = openBls();
// Listening from the beginning keeps the thread; what comes early waits, in its order.
parentPort?.on('message', async ({ id, signed }: SignatureQuestion) => {
  const { isGoodSignature } = await opening;
  const answer: SignatureAnswer = { id, isGood: isGoodSignature(...signed) };
  parentPort?.postMessage(answer);
});
