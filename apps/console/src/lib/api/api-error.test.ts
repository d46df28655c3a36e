import { expect, test } from 'vitest';
import { ApiError, badRequestText, describeError, saidOf, serverText } from './api-error.ts';

const refused = (status: number, error?: string) =>
  new ApiError(error ?? 'A sentence.', { status, code: 'x', error, nextStep: 'Do this.' });

test("[ERR-01] [ERR-02] status 400 with a body error gives that text, all else 'Something went wrong'", () => {
  expect(badRequestText(refused(400, 'Name taken.'))).toBe('Name taken.');
  expect(badRequestText(refused(400))).toBe('Something went wrong');
  for (const status of [401, 403, 404, 409, 422, 429, 500, 503]) {
    expect(badRequestText(refused(status, 'Stack trace.')), String(status)).toBe('Something went wrong');
  }
  expect(badRequestText(new Error('offline'))).toBe('Something went wrong');
});

test("[ERR-06] [ERR-07] the service's own text whatever the status, else the fall-back", () => {
  expect(serverText(refused(500, 'The network is away.'))).toBe('The network is away.');
  expect(serverText(ApiError.unreachable(new Error('x')), 'Something went wrong. Try again later')).toBe(
    'Something went wrong. Try again later',
  );
  expect(serverText(new Error('offline'))).toBe('Something went wrong');
});

test.each([{}, { error: null, message: null }, { error: '' }, undefined, 'A page of a proxy'])(
  '[ERR-07] [DEP-20] a refusal that says nothing (%j) gives the fall-back',
  (body) => {
    const failure = ApiError.fromAnswer(500, body);
    expect(serverText(failure, 'Something went wrong. Try again later')).toBe(
      'Something went wrong. Try again later',
    );
    expect(badRequestText(ApiError.fromAnswer(400, body))).toBe('Something went wrong');
  },
);

test('[ERR-07] a refusal with a message only gives that', () => {
  expect(serverText(ApiError.fromAnswer(500, { message: 'Away.', code: 7 }))).toBe('Away.');
});

test('what the service has said is said alone: nothing where it is silent', () => {
  expect(saidOf(refused(409, 'Too many runs wait.'))).toBe('Too many runs wait.');
  expect(saidOf(ApiError.fromAnswer(500, {}))).toBeUndefined();
  expect(saidOf(ApiError.unreachable(new Error('x')))).toBeUndefined();
});

test('a described error has reason, next step and a detail to copy', () => {
  expect(describeError(refused(400, 'Name taken.'))).toEqual({
    reason: 'Name taken.',
    nextStep: 'Do this.',
    detail: 'Name taken.\nstatus 400\ncode x',
  });
  expect(describeError('odd')).toMatchObject({ reason: 'odd' });
});
