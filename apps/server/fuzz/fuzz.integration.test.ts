import { expect, test } from 'vitest';
import { fuzz } from './fuzz-run.ts';

/** Twenty times as many as there are calls. `npm run fuzz` sends more. */
const REQUESTS = 2000;
const MINUTES = 0.25;
/** On a busy machine the time is over before much was asked. */
const FEWEST = 300;

test('requests made from the OpenAPI document have answers as it describes, whatever is in them', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await fuzz({
    requests: REQUESTS,
    seed,
    connections: 8,
    minutes: MINUTES,
    fewest: FEWEST,
    settlingSeconds: 8,
  });
  // In words, since a run that fails elsewhere leaves nothing but its message.
  expect(report.findings, `seed ${seed}: ${report.findings.slice(0, 4).join(' | ')}`).toEqual([]);
  expect(report.requests).toBeGreaterThanOrEqual(FEWEST);
  expect(Object.keys(report.byStatus)).toEqual(expect.arrayContaining(['200', '400', '401', '404']));
});
