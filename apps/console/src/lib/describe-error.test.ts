import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { badRequestText, describeError, serverText } from './describe-error.ts';

const refused = (status: number, error?: string) =>
  new ApiError(error ?? 'A sentence.', { status, code: 'x', error, nextStep: 'Do this.' });

test("[ERR-01] [ERR-02] status 400 with a body error gives that text, all else 'Something went wrong'", () => {
  expect(badRequestText(refused(400, 'Name taken.'))).toBe('Name taken.');
  expect(badRequestText(refused(400))).toBe('Something went wrong');
  expect(badRequestText(refused(500, 'Stack trace.'))).toBe('Something went wrong');
  expect(badRequestText(new Error('offline'))).toBe('Something went wrong');
});

test("[ERR-06] [ERR-07] the service's own text whatever the status, else the fall-back", () => {
  expect(serverText(refused(500, 'The network is away.'))).toBe('The network is away.');
  expect(serverText(ApiError.unreachable(new Error('x')), 'Something went wrong. Try again later')).toBe(
    'Something went wrong. Try again later',
  );
  expect(serverText(new Error('offline'))).toBe('Something went wrong');
});

test('a described error has reason, next step and a detail to copy', () => {
  expect(describeError(refused(400, 'Name taken.'))).toEqual({
    reason: 'Name taken.',
    nextStep: 'Do this.',
    detail: 'Name taken.\nstatus 400\ncode x',
  });
  expect(describeError('odd')).toMatchObject({ reason: 'odd' });
});
