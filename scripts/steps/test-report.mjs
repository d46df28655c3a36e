import path from 'node:path';
import { root } from './project.mjs';

/**
 * The tests that failed, at the first try or (`failed`) at both, with their message.
 * @param {any} report what Vitest or Playwright wrote as JSON
 * @returns {{ title: string, message: string, failed: boolean }[]}
 */
export function failures(report) {
  const found = [];
  for (const file of report.testResults ?? []) {
    const where = path.relative(root, file.name);
    // A test that passed at its second try keeps the message of the first.
    const tests = file.assertionResults.filter((/** @type {any} */ test) => test.failureMessages.length > 0);
    for (const { status, fullName, failureMessages } of tests)
      found.push({
        title: `${where} > ${fullName}`,
        message: failureMessages[0],
        failed: status === 'failed',
      });
    // A file that cannot be loaded fails without a test.
    if (tests.length === 0 && file.status === 'failed')
      found.push({ title: where, message: file.message, failed: true });
  }
  const suites = [...(report.suites ?? [])];
  for (let suite = suites.pop(); suite !== undefined; suite = suites.pop()) {
    suites.push(...(suite.suites ?? []));
    for (const spec of suite.specs ?? []) {
      const results = spec.tests.flatMap((/** @type {any} */ test) => test.results);
      const bad = results.find(
        (/** @type {any} */ result) => result.status !== 'passed' && result.status !== 'skipped',
      );
      const title = `e2e/${spec.file}:${spec.line} > ${spec.title}`;
      const at = bad?.errorLocation;
      const where = at === undefined ? '' : `${path.relative(root, at.file)}:${at.line}: `;
      if (bad)
        found.push({ title, message: `${where}${bad.error?.message ?? bad.status}`, failed: !spec.ok });
    }
  }
  return found;
}
