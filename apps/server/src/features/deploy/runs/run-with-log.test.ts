import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { expect, test } from 'vitest';
import { runWithLog } from './run-with-log.ts';

const answer: DeployInstanceAnswer = {
  id: 'run',
  status: 'COMPLETED',
  deploy_id: 'deploy',
  trigger_by: 'USER',
  commit_id: null,
  commit_message: 'a "word"',
  commit_author: 'Ada',
  tag: null,
  duration: 1.5,
  logs: null,
  created_at: '2026-11-26T00:00:00.000Z',
  waiting: null,
  rollback_of: null,
  chosen_canisters: null,
  artifacts: null,
  awaits_approval: false,
  left_out: null,
  warnings: null,
};

async function* given(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces;
}

test.each([
  ['nothing', [], null],
  ['an empty line', [''], ''],
  ['lines', ['one\ntwo', 'three'], 'one\ntwo\nthree'],
  [
    'what JSON has to escape',
    ['"\\\u001b[31m', '\ud83d\ude00</script>'],
    '"\\\u001b[31m\n\ud83d\ude00</script>',
  ],
])('a run is answered with a log of %s', async (_what, pieces, logs) => {
  const body = await text(runWithLog(answer, given(...pieces)));
  expect(JSON.parse(body)).toEqual({ ...answer, logs });
});

test('no more is read than its reader takes', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      read += 1;
      yield 'x'.repeat(50_000);
    }
  }
  const body = runWithLog(answer, endless());
  // It takes one piece, and is never done with it.
  body.pipe(new Writable({ write: () => undefined }));
  await expect.poll(() => read).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(read).toBeLessThan(10);
  body.destroy();
});
