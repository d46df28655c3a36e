import { expect, test } from 'vitest';
import { ledgerLoad } from '../../crash/ledger-load.ts';

test('[TX-09] many clients pay at once while server and network are killed: every request is paid once or refused, to the cycle', async () => {
  const { findings, created, toppedUp, refused, kills, audit } = await ledgerLoad({
    operations: 240,
    clients: 16,
    users: 4,
    kills: 2,
    seed: 7,
    minutes: 5,
  });
  expect(findings).toEqual([]);
  expect(created).toBeGreaterThan(0);
  expect(toppedUp).toBeGreaterThan(0);
  expect(Object.keys(refused)).toEqual(['insufficient_balance']);
  expect(kills.server + kills.both + kills.network).toBe(2);
  expect(audit.canisters).toBe(created);
}, 300_000);
