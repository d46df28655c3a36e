import { expect, test } from 'vitest';
import { rolesLoad } from '../../crash/roles/load.ts';

// `npm run crash:roles` is the long version.
test('nothing that was acknowledged is lost when processes of roles are killed, and what was begun ends', async () => {
  const report = await rolesLoad({ kills: 3, citizens: 1, payers: 1, minutes: 4, seed: 11 });
  expect(report.findings).toEqual([]);
  expect(report.done).toBeGreaterThan(20);
  expect(Object.values(report.kills).reduce((sum, count) => sum + count, 0)).toBe(3);
}, 300_000);
