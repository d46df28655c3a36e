import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readingOnly } from './reading-only.ts';

const tries = {
  'changes a file': "require('fs').appendFileSync('/dev/null', '')",
  'opens a connection': "require('net').connect(9, '127.0.0.1').on('error', ({ code }) => console.log(code))",
  'starts a program': "require('child_process').spawnSync('true')",
  'starts a thread': "new (require('worker_threads').Worker)('1', { eval: true })",
};

test.each(Object.entries(tries))('a program that only reads never %s', (_what, attempt) => {
  const program = `try { ${attempt} } catch (error) { console.log(error.code) }`;
  const run = (options: readonly string[]): string =>
    execFileSync(process.execPath, [...options, '--eval', program], { encoding: 'utf8' }).trim();
  expect(run([])).not.toContain('DENIED');
  expect(run(readingOnly)).toBe('ERR_ACCESS_DENIED');
});
