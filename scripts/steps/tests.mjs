import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { goesOf, runInTime } from '../parts/in-time.mjs';
import { restOfTests } from '../parts/test-parts.mjs';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { programOf } from './install.mjs';
import { cache, runBeside } from './project.mjs';
import { excuses, inexcusable } from './second-tries.mjs';
import { bringRust } from './rust.mjs';
import { failures } from './test-report.mjs';

/** Second tries that a slow machine may cost a strict run; each is named, and to be explained all the same. */
const MOST_SECOND_TRIES = 4;

const results = path.join(cache, 'test-results');

/** Tests start hundreds of processes from our sources: each finds there what the first one compiled. */
const compiledModules = path.join(cache, 'compiled-modules');

/**
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {'unit' | 'integration'} project
 * @param {readonly string[]} extra arguments of Vitest
 * @returns {Promise<number>} the exit code
 */
export function vitest({ node, env }, project, extra) {
  const output = path.join(results, `${project}.json`);
  rmSync(output, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  return runBeside(node, [programOf('vitest'), 'run', '--project', `${project}*`, ...reporters, ...extra], {
    env: { ...env, NODE_COMPILE_CACHE: compiledModules },
  });
}

/**
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {readonly string[]} extra arguments of Playwright
 * @param {string} name of the file of its results
 * @returns {Promise<number>} the exit code
 */
export function playwright({ node, env }, extra, name = 'e2e') {
  const output = path.join(results, `${name}.json`);
  rmSync(output, { force: true });
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...extra];
  return runBeside(node, [programOf('@playwright/test'), ...args], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: output },
  });
}

/**
 * Adds up what the runners wrote; names what failed once more, and prints the closing line that scripts read.
 * @returns {boolean} whether nothing failed; with STRICT_TESTS, hardly anything at a first try
 */
function summary() {
  let passed = 0;
  let failed = 0;
  /** @type {string[]} */
  const again = [];
  /** @type {string[]} */
  const shortly = [];
  for (const name of existsSync(results) ? readdirSync(results) : []) {
    const report = JSON.parse(readFileSync(path.join(results, name), 'utf8'));
    const { expected = 0, flaky = 0, unexpected = 0 } = report.stats ?? {};
    passed += report.numPassedTests ?? expected + flaky;
    failed += report.numFailedTests ?? unexpected;
    for (const { title, message, failed: isFailed } of failures(report)) {
      const what = isFailed ? 'FAILED' : 'passed only at the second try:';
      if (isFailed) shortly.push(`${title}: ${String(message).split('\n', 1)[0]?.slice(0, 200)}`);
      else again.push(title);
      process.stdout.write(`\n${what} ${title}\n${String(message).split('\n').slice(0, 12).join('\n')}\n`);
    }
  }
  const counted = inexcusable(again, excuses(), new Date());
  const isCounted = process.env.STRICT_TESTS !== undefined && counted.length > MOST_SECOND_TRIES;
  if (counted.length > 0)
    process.stdout.write(
      `\nMore than ${MOST_SECOND_TRIES} second tries fail a strict run. Mend the tests or what they found, or list them in second-tries.json:\n${counted.join('\n')}\n`,
    );
  // Whoever keeps only the end of the output still learns what failed.
  if (shortly.length > 0) process.stdout.write(`\nFailed:\n${shortly.join('\n')}\n`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 && !isCounted;
}

/** How many integration tests run beside each other, and end-to-end tests after them: builds get what others leave, see 0073. */
const BESIDE = { integration: 3, e2e: 3 };

/**
 * The journeys; those of `npm run test:rest` as far as `TESTS_END` allows.
 * @param {import('./toolchain.mjs').Toolchain} tools
 * @param {import('../parts/test-parts.mjs').Part} part
 * @returns {Promise<number>} the exit code
 */
async function journeys(tools, part) {
  const workers = `--workers=${BESIDE.e2e}`;
  const endMs = 1000 * Number(process.env.TESTS_END ?? Number.NaN);
  if (part !== 'rest' || Number.isNaN(endMs)) return playwright(tools, [workers]);
  const files = restOfTests().filter((file) => file.startsWith('e2e/'));
  const run = (/** @type {string[]} */ go, /** @type {number} */ place) =>
    playwright(tools, [workers, ...go], `e2e-${place}`);
  const { code, left } = await runInTime(goesOf(files, new Date()), run, { endMs });
  if (left.length > 0)
    process.stdout.write(`\nLeft for want of time, the first of another day:\n${left.join('\n')}\n`);
  return code;
}

/**
 * Checks and tests.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('../parts/test-parts.mjs').Part} part
 * @returns {Promise<number>} the exit code
 */
export async function testAll(toolchain, part) {
  rmSync(results, { recursive: true, force: true });
  /** @type {Record<string, number>} */
  const codes = {};
  if (part !== 'rest') codes.checks = check(toolchain);
  const tools = build(toolchain);
  const built = { ...tools, env: { ...tools.env, TEST_PART: part } };
  bringRust();
  const samples = runBeside(built.node, ['apps/server/test/support/compile-samples.ts'], { env: built.env });
  if (part !== 'rest') codes.unit = await vitest(built, 'unit', []);
  codes.samples = await samples;
  codes.integration = await vitest(built, 'integration', [`--maxWorkers=${BESIDE.integration}`]);
  codes.e2e = await journeys(built, part);
  // A part can end badly though no test of it failed: an error outside every test, or a check.
  const red = Object.entries(codes).filter(([, code]) => code !== 0);
  for (const [name, code] of red) process.stdout.write(`${name} ended with exit code ${code}\n`);
  return summary() && red.length === 0 ? 0 : 1;
}
