import { expect, test } from 'vitest';
import { actorOf } from './canister-history.tsx';

test.each([
  ['ada', 'topped_up', 'ada'],
  [null, 'outside', 'someone outside the console'],
  [null, 'topup_uncertain', 'the console'],
] as const)('a change of %s of the kind %s is by %s', (actor, kind, text) => {
  expect(actorOf({ actor, kind })).toBe(text);
});
