import { afterEach, expect, test, vi } from 'vitest';
import { ago, instanceDate, seconds, tableDate, updateDate, uploadDate } from './formats.ts';

const afternoon = new Date(2024, 2, 5, 15, 7).toISOString();
const morning = new Date(2024, 10, 21, 9, 5).toISOString();
const noon = new Date(2024, 1, 29, 12, 0).toISOString();
const midnight = new Date(2024, 0, 1, 0, 0).toISOString();

test('[CONST-04] [CAN-07] [TX-07] [CAN-26] table dates keep the 24-hour clock and add AM or PM', () => {
  expect(tableDate(afternoon)).toBe('05/03/2024 15:07 PM');
  expect(tableDate(morning)).toBe('21/11/2024 09:05 AM');
  expect(tableDate(noon)).toBe('29/02/2024 12:00 PM');
  expect(tableDate(midnight)).toBe('01/01/2024 00:00 AM');
});

test('[CONST-05] [DEPD-10] deploy instance dates', () => {
  expect(instanceDate(afternoon)).toBe('Mar 05, 2024 15:07');
});

test('[CONST-06] [MKT-15] dapp upload dates', () => {
  expect(uploadDate(afternoon)).toBe('Mar 05, 2024');
});

test("[CONST-07] [CAND-07] a canister's last update", () => {
  expect(updateDate(afternoon)).toBe('05 Mar 2024, 15:07');
  // Two digits each, hours of the 24-hour clock, minutes and no month behind the colon.
  expect(updateDate(morning)).toBe('21 Nov 2024, 09:05');
  expect(updateDate(noon)).toBe('29 Feb 2024, 12:00');
  expect(updateDate(midnight)).toBe('01 Jan 2024, 00:00');
  const names = Array.from({ length: 12 }, (_, month) =>
    updateDate(new Date(2024, month, 9, 23, 59).toISOString()),
  );
  expect(names).toEqual(
    ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
      (month) => `09 ${month} 2024, 23:59`,
    ),
  );
});

afterEach(() => vi.unstubAllEnvs());

test('[CAN-07] [CAND-07] [TX-07] [OP-29] dates are in the time zone of the browser', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  const evening = '2024-03-05T20:07:00Z';
  expect(tableDate(evening)).toBe('06/03/2024 01:37 AM');
  expect(updateDate(evening)).toBe('06 Mar 2024, 01:37');
});

test.each([tableDate, instanceDate, uploadDate, updateDate])('[CAND-07] a missing date is N/A', (format) => {
  expect(format(null)).toBe('N/A');
  expect(format(undefined)).toBe('N/A');
  expect(format('soon')).toBe('N/A');
});

test('[CAN-26] a duration has the suffix s, a missing one is N/A', () => {
  expect(seconds(12)).toBe('12s');
  expect(seconds(0)).toBe('0s');
  expect(seconds(61.5), 'more than a minute too').toBe('61.5s');
  expect(seconds(3725)).toBe('3725s');
  expect(seconds(null)).toBe('N/A');
});

test('relative time', () => {
  const now = Date.parse(afternoon);
  expect(ago(afternoon, now + 30_000)).toBe('just now');
  expect(ago(afternoon, now + 3 * 60_000)).toBe('3 minutes ago');
  expect(ago(afternoon, now + 26 * 3_600_000)).toBe('yesterday');
  expect(ago(null, now)).toBe('N/A');
});
