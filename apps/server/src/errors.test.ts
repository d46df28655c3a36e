import { errorBody } from '@cannery/contract';
import { expect, test } from 'vitest';
import { AppError, errorAnswer } from './errors.ts';

test('an error of ours is answered with its sentence, twice, its code and a next step', () => {
  const { status, body } = errorAnswer(
    new AppError('canister_not_stopped', 'Canister must be stopped first.'),
  );
  expect(status).toBe(400);
  expect(errorBody.parse(body)).toMatchObject({
    error: 'Canister must be stopped first.',
    message: 'Canister must be stopped first.',
    code: 'canister_not_stopped',
    next_step: 'Stop the canister first.',
  });
});

test('any other error says nothing of the inside', () => {
  const { status, body } = errorAnswer(new Error('relation "users" does not exist at /home/x'));
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain('users');
});
