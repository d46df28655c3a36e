import { expect, test } from 'vitest';
import { buildMemory } from './machine-memory.ts';

test.each([
  [1_024, 2_048],
  [12_288, 2_048],
  [18_432, 3_072],
  [24_010, 4_001],
  [262_144, 4_096],
])('on a machine of %i MiB a build has %i', (machine, build) => {
  expect(buildMemory(machine)).toBe(build);
});
