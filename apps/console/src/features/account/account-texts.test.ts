import { expect, test } from 'vitest';
import { insightTexts, transactionCanister, transactionName } from './account-texts.ts';
import { withOneMoreCanister } from './use-account-refresh.ts';

const insights = { balance: 2.5e12, balance_exact: '2500000000001', total_canisters: 3, canisters: 3 };

test('[NAV-21] [NAV-22] [ACC-02] balance in T, every digit for the tooltip, and the count', () => {
  expect(insightTexts(insights)).toEqual({
    balance: '2.50 T',
    shortBalance: '2.50 T',
    exact: '2500000000001',
    count: '3',
  });
  expect(insightTexts({ balance_exact: '1200000000000000' })).toMatchObject({
    balance: '1200.00 T',
    shortBalance: '1.2k T',
  });
  expect(insightTexts({ balance: 0, total_canisters: 0 }), 'nothing is left, which is known').toEqual({
    balance: '0.00 T',
    shortBalance: '0.00 T',
    exact: '0',
    count: '0',
  });
});

test('[ENT-06] the count falls back to canisters, then to N/A', () => {
  expect(insightTexts({ canisters: 4 }).count).toBe('4');
  expect(insightTexts({ total_canisters: 5, canisters: 4 }).count).toBe('5');
  expect(insightTexts({ balance: 1e12 })).toEqual({
    balance: '1.00 T',
    shortBalance: '1.00 T',
    exact: '1000000000000',
    count: 'N/A',
  });
});

test('[ACC-04] [API-18] without insights, as after a failing call, everything is N/A', () => {
  expect(insightTexts(undefined)).toEqual({
    balance: 'N/A',
    shortBalance: 'N/A',
    exact: 'N/A',
    count: 'N/A',
  });
});

test('[STATE-05] a creation raises the count by one, of insights that are there', () => {
  expect(withOneMoreCanister(insights)).toMatchObject({ total_canisters: 4, canisters: 4, balance: 2.5e12 });
  expect(withOneMoreCanister(undefined)).toBeUndefined();
});

test('[TX-05] the names of transactions', () => {
  expect(['CANISTER_TOPUP', 'CANISTER_CREATE', 'CYCLE_DEPOSIT'].map(transactionName)).toEqual([
    'CANISTER TOPUP',
    'CANISTER CREATE',
    'CYCLE DEPOSIT',
  ]);
  for (const name of ['REFUND', 'canister_topup', 'constructor', '', null]) {
    expect(transactionName(name), `${name}`).toBe('N/A');
  }
});

test.each([
  ['{"canister_id":"aaaaa-aa"}', 'aaaaa-aa'],
  ['{ "memo": "", "canister_id" : "aaaaa-aa" }', 'aaaaa-aa'],
  ['{"canister_id":"aaaaa-aa"', undefined],
  ['{"memo":{"canister_id":"aaaaa-aa"}}', undefined],
  ['"aaaaa-aa"', undefined],
  ['{"canister_id":7}', undefined],
  ['{"canister_id":""}', undefined],
  ['{}', undefined],
  ['null', undefined],
  ['{bad', undefined],
  [null, undefined],
])('[TX-06] the canister id of %s is %s', (meta, id) => {
  expect(transactionCanister({ transaction_meta: meta })).toBe(id);
});
