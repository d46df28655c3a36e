import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTest, sourceFiles } from '../source-files.ts';

/** What makes a script a worker, whose policy is that of the answer which its script comes in. */
const WORKER = /new (?:Shared)?Worker\(|serviceWorker\.register\(|addModule\(/;

test('the console starts no worker: its scripts are answered without a content security policy (console-files.ts)', () => {
  const files = sourceFiles(/\.tsx?$/).filter((file) => file.includes('apps/console/') && !isTest(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => WORKER.test(readFileSync(file, 'utf8')))).toEqual([]);
  expect(WORKER.test("new Worker(new URL('./sums.ts', import.meta.url))")).toBe(true);
});
