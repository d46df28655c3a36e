import { expect, test } from 'vitest';
import { ledgerKills } from './ledger-kills.ts';

test('transfers of 64 clients keep their sums over kill -9: each happens once', async () => {
  const transfers = 320;
  const report = await ledgerKills({ transfers, clients: 64, kills: 1 });
  expect(report.faults).toEqual([]);
  expect(report.kills).toBe(1);
  expect(report.answered + report.found).toBe(transfers);
});
