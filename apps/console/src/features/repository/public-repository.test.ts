import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { firstFound } from './public-repository.tsx';

const refusal = (status: number) => ApiError.fromAnswer(status, { error: `refused with ${status}` });

/** Looks up names of which some are there. */
function looking(known: readonly string[], failure: Error = refusal(400)) {
  const asked: string[] = [];
  return {
    asked,
    lookUp: async (name: string) => {
      asked.push(name);
      if (!known.includes(name)) throw failure;
    },
  };
}

test('[OP-44] [DEP-07] the name without its extension comes first, the whole one where there is none of that name', async () => {
  const both = looking(['my', 'my.site']);
  expect(await firstFound(['my', 'my.site'], both.lookUp)).toBe('my');
  expect(both.asked).toEqual(['my']);
  const whole = looking(['my.site'], refusal(404));
  expect(await firstFound(['my', 'my.site'], whole.lookUp)).toBe('my.site');
  expect(whole.asked).toEqual(['my', 'my.site']);
});

test('[OP-44] where neither is there, the refusal is that of the address that was typed', async () => {
  await expect(firstFound(['my', 'my.site'], looking([]).lookUp)).rejects.toThrow('refused with 400');
});

test.each([500, 503])('a service that fails with %i is not asked for another name', async (status) => {
  const broken = looking([], refusal(status));
  await expect(firstFound(['my', 'my.site'], broken.lookUp)).rejects.toThrow(`refused with ${status}`);
  expect(broken.asked).toEqual(['my']);
});
