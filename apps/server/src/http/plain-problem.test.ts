import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainProblem } from './plain-problem.ts';

const form = z.object({
  label: z.string().min(1).max(1_000).optional(),
  amount: z.number().max(5).optional(),
  count: z.number().int().optional(),
  days: z.union([z.literal(30), z.literal(90)]).optional(),
  mode: z.enum(['install', 'upgrade']).optional(),
  names: z.array(z.string()).min(2).max(3).optional(),
  at: z.iso.datetime().optional(),
  own: z.string().max(1, { message: 'One letter.' }).optional(),
  needed: z.boolean(),
});

test.each([
  [{ label: '' }, 'must not be empty'],
  [{ label: 'x'.repeat(1_001) }, 'must have at most 1,000 characters'],
  [{ label: 7 }, 'must be a text'],
  [{ amount: 6 }, 'must be at most 5'],
  [{ amount: 'six' }, 'must be a number'],
  [{ count: 1.5 }, 'must be a whole number'],
  [{ days: 31 }, 'does not have the form that it must have'],
  [{ mode: 'erase' }, 'must be one of install, upgrade'],
  [{ names: 'a' }, 'must be a list'],
  [{ names: ['a'] }, 'must have at least 2 entries'],
  [{ names: ['a', 'b', 'c', 'd'] }, 'must have at most 3 entries'],
  [{ at: 'today' }, 'does not have the form that it must have'],
  [{ own: 'two' }, 'One letter.'],
  [{ needed: undefined }, 'is missing'],
])('%j is told in plain words', (given, problem) => {
  const parsed = form.safeParse({ needed: true, ...given }, { error: plainProblem });
  expect(parsed.error?.issues[0]?.message).toBe(problem);
});
