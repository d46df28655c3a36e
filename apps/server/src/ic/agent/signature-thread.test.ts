import { bls12_381 } from '@noble/curves/bls12-381.js';
import { beforeEach, expect, test, vi } from 'vitest';
import type { isGoodInThread as Check, Signed } from './signature-thread.ts';

const { shortSignatures } = bls12_381;
const secret = new Uint8Array(32).fill(7);
const key = shortSignatures.getPublicKey(secret).toBytes();

function signed(text: string): Signed {
  const message = Buffer.from(text);
  return [key, shortSignatures.sign(shortSignatures.hash(message), secret).toBytes(), message];
}

let isGoodInThread: typeof Check;
beforeEach(async () => {
  // Without a thread of an earlier test: files of one process share their modules.
  vi.resetModules();
  ({ isGoodInThread } = await import('./signature-thread.ts'));
});

test('a check is made all the same when its thread ends', async () => {
  const ended = new Promise((resolve) => {
    process.once('worker', (worker) => {
      worker.once('exit', resolve);
      void worker.terminate();
    });
  });
  const [, foreign, text] = signed('another state');
  const answers = [
    isGoodInThread(...signed('a state')),
    isGoodInThread(key, foreign, Buffer.from('a state')),
  ];
  await ended;
  expect(await Promise.all(answers)).toEqual([true, false]);
  expect(await isGoodInThread(key, foreign, text)).toBe(true);
});

test('each of several questions at a time gets its own answer', async () => {
  const [, foreign] = signed('another state');
  const questions: Signed[] = [
    signed('a state'),
    [key, foreign, Buffer.from('a state')],
    [key, new Uint8Array(48), Buffer.from('no point of the curve')],
    [new Uint8Array(96), foreign, Buffer.from('no key')],
    signed('the next state'),
  ];
  const answers = await Promise.all(questions.map((question) => isGoodInThread(...question)));
  expect(answers).toEqual([true, false, false, false, true]);
});
