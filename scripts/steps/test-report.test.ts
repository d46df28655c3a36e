import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.mjs';
import { failures } from './test-report.mjs';

const passed = { status: 'passed' };
const failed = {
  status: 'failed',
  error: { message: 'not visible' },
  errorLocation: { file: path.join(root, 'e2e/pages/a-page.ts'), line: 219 },
};
const spec = (title: string, ok: boolean, results: readonly object[]) => ({
  title,
  file: 'a.spec.ts',
  line: 7,
  ok,
  tests: [{ results }],
});

test('a test of the browser is named with its message and the place that failed, also after a second try that passed', () => {
  const specs = [
    spec('good', true, [passed]),
    spec('late', true, [failed, passed]),
    spec('bad', false, [failed]),
  ];
  expect(failures({ suites: [{ suites: [{ specs }] }] })).toEqual([
    { title: 'e2e/a.spec.ts:7 > late', message: 'e2e/pages/a-page.ts:219: not visible', failed: false },
    { title: 'e2e/a.spec.ts:7 > bad', message: 'e2e/pages/a-page.ts:219: not visible', failed: true },
  ]);
});

test('a try that ended without an error says how it ended', () => {
  const specs = [spec('slow', false, [{ status: 'timedOut' }])];
  expect(failures({ suites: [{ specs }] })).toEqual([
    { title: 'e2e/a.spec.ts:7 > slow', message: 'timedOut', failed: true },
  ]);
});

test('a test of Vitest keeps the message of its first try, and a file that cannot be loaded its own', () => {
  const found = failures({
    testResults: [
      {
        name: '/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'good', failureMessages: [] },
          { status: 'passed', fullName: 'late', failureMessages: ['first', 'second'] },
          { status: 'failed', fullName: 'bad', failureMessages: ['wrong'] },
        ],
      },
      { name: '/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  });
  expect(found.map(({ message, failed: isFailed }) => [message, isFailed])).toEqual([
    ['first', false],
    ['wrong', true],
    ['no such module', true],
  ]);
});
