import { expect, test } from 'vitest';
import { faultPointsOf } from './fault-points.ts';

test('a program that nobody tests refuses to be killed on purpose', () => {
  expect(() => faultPointsOf({ FAULT_POINT: 'create.intended' })).toThrow(/for tests only/);
  expect(() => faultPointsOf({ FAULT_POINT: 'create.intended', NODE_ENV: 'production' })).toThrow(
    /for tests only/,
  );
  expect(() => faultPointsOf({ FAULT_FILE: '/nowhere' })).toThrow(/FAULT_FILE .* for tests only/);
});

test('a step that does not exist is refused, so that no test waits for it in vain', () => {
  expect(() => faultPointsOf({ FAULT_POINT: 'create.forgotten', NODE_ENV: 'test' })).toThrow(
    /must be one of: create.signed/,
  );
});

test('other steps than the chosen one, and all without a choice, are passed', () => {
  faultPointsOf({ FAULT_POINT: 'create.intended', NODE_ENV: 'test' })('create.signed');
  faultPointsOf({ NODE_ENV: 'production' })('create.intended');
});
