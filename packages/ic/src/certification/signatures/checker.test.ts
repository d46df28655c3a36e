import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { CheckerBusyError, MOST_WAITING, MOST_WAITING_OF_ONE } from './checker.ts';
import { type RootSigner, startSigner } from './signer.ts';

let signer: RootSigner;
beforeAll(() => {
  signer = startSigner(new Uint8Array(32).fill(1));
});
afterAll(() => signer.close());

/** What became of many questions of one who asks. */
async function ask(count: number, asker: string, signature: Uint8Array) {
  const outcome = { answered: 0, busy: 0 };
  const one = async (): Promise<void> => {
    try {
      await signer.verify(randomBytes(32), signature, asker);
      outcome.answered += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(CheckerBusyError);
      outcome.busy += 1;
    }
  };
  const all = Promise.all(Array.from({ length: count }, one));
  return { outcome, all };
}

test('a signature is made at once, however many of strangers wait to be checked', async () => {
  const signature = await signer.sign(randomBytes(32));
  const floods = await Promise.all(
    Array.from({ length: 20 }, (_, from) => ask(50, `10.0.0.${from}`, signature)),
  );
  await signer.sign(randomBytes(32));
  const checked = floods.reduce((sum, { outcome }) => sum + outcome.answered, 0);
  expect(checked).toBeLessThan(MOST_WAITING / 2);
  await Promise.all(floods.map(({ all }) => all));
  const refused = floods.reduce((sum, { outcome }) => sum + outcome.busy, 0);
  expect(refused).toBeGreaterThanOrEqual(20 * 50 - MOST_WAITING - 1);
});

test('who asks too much is refused; another is answered before the rest of the crowd', async () => {
  const rootHash = randomBytes(32);
  const signature = await signer.sign(rootHash);
  const crowd = await ask(100, 'one', signature);
  // The first question goes to the thread, and the key was asked for before.
  expect(await signer.verify(rootHash, signature, 'another')).toBe(true);
  expect(crowd.outcome.answered).toBeLessThan(MOST_WAITING_OF_ONE / 2);
  await crowd.all;
  expect(crowd.outcome.busy).toBeGreaterThanOrEqual(100 - MOST_WAITING_OF_ONE - 1);
  expect(await signer.verify(randomBytes(32), signature, 'one')).toBe(false);
});
