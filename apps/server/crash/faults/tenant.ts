import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, startProduct } from '@cannery/dev-env';
import { ApiClient } from '../../test/support/client.ts';

/** Calls of one sample. */
const CALLS = 200;
/** Between two calls of the one who is measured, in milliseconds. */
const PAUSE_MS = 20;
/** Callers of the other one, each with no pause: about a hundred times as many calls are asked for. */
const CROWD = 100;
const PAIRS = 3;
const MOST_RATIO = 3;
const PATHS = ['/user/profile', '/canister/list/', '/deploy', '/transactions/'];

/** How long one tenant waits alone, and while another one asks for a hundred times as much. @returns whether it is answered */
export async function crowd(say: (line: string) => void): Promise<boolean> {
  const product = await startProduct({ env: { WORKER: 'off', LOG_LEVEL: 'error' } });
  try {
    const ada = new ApiClient(product.url, await signIn(product.url, 'ada'));
    const eve = new ApiClient(product.url, await signIn(product.url, 'eve'));
    await sample(ada);
    const ratios: number[] = [];
    let failed = 0;
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      const alone = await sample(ada);
      let isOver = false;
      let calls = 0;
      const loops = Array.from({ length: CROWD }, async (_, index) => {
        while (!isOver) {
          const path = PATHS[index % PATHS.length] ?? '';
          await (index % 4 === 0 ? eve.post('/repository/tokens', { label: 'x' }) : eve.get(path)).catch(
            () => undefined,
          );
          calls += 1;
        }
      });
      await sleep(1_000);
      const beside = await sample(ada);
      isOver = true;
      await Promise.all(loops);
      failed += beside.failed;
      ratios.push(beside.p99 / alone.p99);
      say(
        `pair ${pair}: alone p50 ${alone.p50.toFixed(1)} ms, p99 ${alone.p99.toFixed(1)} ms; beside ${calls} calls p50 ${beside.p50.toFixed(1)} ms, p99 ${beside.p99.toFixed(1)} ms; ${beside.failed} of ${CALLS} not answered`,
      );
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] ?? 0;
    say(`p99 beside the other one to p99 alone: ${median.toFixed(2)}`);
    return failed === 0 && median <= MOST_RATIO;
  } finally {
    await product.dispose();
  }
}

async function sample(client: ApiClient): Promise<{ p50: number; p99: number; failed: number }> {
  const times: number[] = [];
  let failed = 0;
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now();
    const answer = await client.get(PATHS[call % PATHS.length] ?? '').catch(() => undefined);
    if (answer?.status !== 200) failed += 1;
    times.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), failed };
}
