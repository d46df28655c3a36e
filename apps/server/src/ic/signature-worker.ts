import { parentPort } from 'node:worker_threads';
import { isGoodSignature } from './check-signature.ts';
import type { SignatureQuestion, SignatureAnswer } from './signature-thread.ts';

parentPort?.on('message', ({ id, signed }: SignatureQuestion) => {
  const answer: SignatureAnswer = { id, isGood: isGoodSignature(...signed) };
  parentPort?.postMessage(answer);
});
