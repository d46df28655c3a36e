import { parentPort } from 'node:worker_threads';
import { isGoodSignature } from '@cannery/bls';
import type { SignatureQuestion, SignatureAnswer } from './signature-thread.ts';

parentPort?.on('message', ({ id, signed }: SignatureQuestion) => {
  const answer: SignatureAnswer = { id, isGood: isGoodSignature(...signed) };
  parentPort?.postMessage(answer);
});
