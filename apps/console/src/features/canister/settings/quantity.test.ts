import { describe, expect, test } from 'vitest';
import { amountOf, byteUnits, cycleUnits, durationUnits, percentUnits, quantityOf } from './quantity.ts';

describe('amounts of the network in units people use', () => {
  test.each([
    ['2592000', durationUnits, { text: '30', unit: 'days' }],
    ['129600', durationUnits, { text: '1.5', unit: 'days' }],
    ['3600', durationUnits, { text: '1', unit: 'hours' }],
    ['3601', durationUnits, { text: '3601', unit: 'seconds' }],
    ['0', byteUnits, { text: '0', unit: 'GiB' }],
    ['4294967296', byteUnits, { text: '4', unit: 'GiB' }],
    ['1610612736', byteUnits, { text: '1.5', unit: 'GiB' }],
    ['104857600', byteUnits, { text: '100', unit: 'MiB' }],
    ['1025', byteUnits, { text: '1025', unit: 'bytes' }],
    ['5000000000000', cycleUnits, { text: '5', unit: 'T cycles' }],
    ['5000000000001', cycleUnits, { text: '5000000000001', unit: 'cycles' }],
    ['7', percentUnits, { text: '7', unit: '%' }],
  ])('%s', (amount, units, quantity) => {
    expect(quantityOf(amount, units)).toEqual(quantity);
    expect(amountOf(quantity, units)).toBe(amount);
  });
});

test.each(['', '-1', '1e3', 'ten', '1.', '0x10'])('%j is no amount', (text) => {
  expect(amountOf({ text, unit: 'days' }, durationUnits)).toBeUndefined();
});

test('an amount must be whole in the unit of the network', () => {
  expect(amountOf({ text: '0.00001', unit: 'days' }, durationUnits)).toBeUndefined();
  expect(amountOf({ text: '0,5', unit: 'days' }, durationUnits)).toBe('43200');
  expect(amountOf({ text: '1.5', unit: 'bytes' }, byteUnits)).toBeUndefined();
});
