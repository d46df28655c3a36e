import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { heapBounds } from './heap-bounds.ts';
// Lets heaps begin large.
import './run-in-thread.ts';

/** What Node allows a thread beyond its bound, in megabytes (`kExtraHeapAllowance`). */
const ALLOWED = 16;

test('what one collection may move into the old generation is less than Node allows a thread beyond its bound', async () => {
  const { maxOldGenerationSizeMb, maxYoungGenerationSizeMb = Number.POSITIVE_INFINITY } = heapBounds(64);
  expect(maxOldGenerationSizeMb).toBe(64);
  expect(maxYoungGenerationSizeMb / 3).toBeLessThan(ALLOWED);
  const text = `import { parentPort } from 'node:worker_threads'; import { getHeapSpaceStatistics } from 'node:v8';
    let kept = [];
    for (let round = 0; round < 20; round += 1) { kept = []; for (let i = 0; i < 50_000; i += 1) kept.push({ i, a: [i] }); }
    parentPort.postMessage(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);`;
  const module = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  const [newSpace] = await once(new Worker(module, { env: {}, resourceLimits: heapBounds(64) }), 'message');
  // One half of it is in use.
  expect(newSpace / 2).toBeLessThan(ALLOWED * 1024 ** 2);
});
