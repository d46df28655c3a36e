import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sourceFiles } from '../source-files.ts';
import { restOfTests } from './test-parts.mjs';

test('what `npm test` leaves out is there, in order and once', () => {
  const rest = restOfTests();
  const files = new Set(sourceFiles(/\.(integration\.test|spec)\.ts$/));
  expect(rest.filter((file) => !files.has(file))).toEqual([]);
  expect(rest).toEqual([...new Set(rest)].toSorted());
});

test('every requirement is proven by `npm test` alone, in each way in which it is to be observed', () => {
  const said = execFileSync(process.execPath, ['scripts/check-requirements.ts'], { encoding: 'utf8' });
  expect(said).toMatch(/(\d+) of \1 requirements carry a test/);
  expect(said).not.toContain('Without a test of the kind');
});
