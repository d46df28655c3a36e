import { expect, test } from 'vitest';
import { excuses, inexcusable } from './second-tries.mjs';

const now = new Date('2026-11-22T12:00:00Z');
const title = 'e2e/deploys/deploy.spec.ts:17 > a site is live';

test('a test that passed at its second try fails the run, unless it is listed by file and name', () => {
  const listed = {
    test: 'e2e/deploys/deploy.spec.ts > a site is live',
    since: '2026-11-01',
    why: 'The port is taken.',
  };
  expect(inexcusable([title], [], now)).toEqual([title]);
  expect(inexcusable([title, 'a.test.ts > b'], [listed], now)).toEqual(['a.test.ts > b']);
});

test('an entry counts for thirty days, and one without a day never', () => {
  const listedOn = (since: string) => [{ test: 'a.test.ts > b', since, why: '' }];
  expect(inexcusable(['a.test.ts > b'], listedOn('2026-10-24'), now)).toEqual([]);
  expect(inexcusable(['a.test.ts > b'], listedOn('2026-10-23'), now)).toEqual(['a.test.ts > b']);
  expect(inexcusable(['a.test.ts > b'], listedOn('someday'), now)).toEqual(['a.test.ts > b']);
});

test('every entry of the list names a test, the day, and what is known', () => {
  for (const entry of excuses())
    expect(entry).toEqual({
      test: expect.stringMatching(/^\S+\.tsx? > ./),
      since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      why: expect.stringMatching(/\w{3}/),
    });
});
