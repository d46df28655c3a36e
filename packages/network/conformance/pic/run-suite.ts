#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Checkout } from './checkout.ts';

const USAGE = `Usage: run-suite <folder of a checkout of dfinity/pic-js> [--modules <folder>] [--only <name>]

Runs the server tests and the examples of PicJS, unmodified, on cannery-network pocket-ic, and prints a table. The packages that the
suite imports must be installed in the checkout (docs/conformance.md).

  --modules <folder>   modules of the examples in Rust, as <name>.wasm or <name>.wasm.gz; without them those examples are not run
  --only <name>        one example, or "server"

Ends with code 1 when a server test fails, when an example fails that is not known to, or when less than 90 % of all examples pass.
`;

/** Tests of examples that cannot pass, and why: `docs/conformance.md` has them too. */
const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  nns_proxy: 'begins with the state of a real replica (FromPath), which cannot be read',
};
/** Share of the tests of all examples that has to pass. */
const MOST_EXAMPLES = 0.9;

/** What Jest and Vitest write with their reporter "json". */
interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface Row {
  readonly name: string;
  readonly total: number;
  readonly passed: number;
  readonly note: string;
  /** Whether it is as it should be. */
  readonly isFine: boolean;
}

/** Runs one part of the suite with its own test runner. */
function runTests(checkout: Checkout, name: string, folder: string): Report {
  const temporary = mkdtempSync(join(tmpdir(), 'cannery-pic-suite-'));
  const output = join(temporary, 'report.json');
  try {
    const vitestConfig = join(checkout.folder, folder, 'vitest.config.ts');
    const args = existsSync(vitestConfig)
      ? [
          checkout.program('vitest', 'vitest.mjs'),
          'run',
          '--config',
          vitestConfig,
          '--reporter=json',
          `--outputFile=${output}`,
        ]
      : [
          checkout.program('jest', 'bin/jest.js'),
          '--config',
          join(checkout.folder, folder, 'jest.config.ts'),
          '--json',
          `--outputFile=${output}`,
        ];
    spawnSync(process.execPath, args, { cwd: checkout.folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (!existsSync(output)) throw new Error(`The tests of ${name} did not run.`);
    return JSON.parse(readFileSync(output, 'utf8')) as Report;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

function rowOf(name: string, report: Report): Row {
  const { numTotalTests: total, numPassedTests: passed } = report;
  const failed = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const known = KNOWN_DIFFERENCES[name];
  const note = failed.length > 0 ? (known ?? `failed: ${failed.join('; ')}`) : '';
  const isFine = (passed === total && total > 0) || known !== undefined;
  return { name, total, passed, note, isFine };
}

/** How many tests an example has that was not run, by the calls in its files. */
function countTests(checkout: Checkout, example: string): number {
  const folder = join(checkout.folder, 'examples', example, 'tests', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return texts.reduce((sum, text) => sum + (text.match(/^\s*(?:it|test)\(/gm)?.length ?? 0), 0);
}

function runExample(checkout: Checkout, name: string, modules: string | undefined): Row {
  const missing = checkout.build(name, modules);
  if (missing.length === 0) return rowOf(name, runTests(checkout, name, join('examples', name, 'tests')));
  const total = countTests(checkout, name);
  const note = KNOWN_DIFFERENCES[name] ?? `not run: no module of ${missing.join(', ')}, which is in Rust`;
  return { name, total, passed: 0, note, isFine: true };
}

function run(checkout: Checkout, modules: string | undefined, only: string | undefined): boolean {
  using _program = checkout.useOurProgram();
  console.log(`@dfinity/pic ${checkout.versionOf('@dfinity/pic')}`);
  const rows: Row[] = [];
  const note = (row: Row): void => {
    rows.push(row);
    console.log(`| ${row.name} | ${row.passed} of ${row.total} | ${row.note} |`);
  };
  if (only === undefined || only === 'server')
    note(rowOf('server', runTests(checkout, 'server', 'packages/pic')));
  const examples = checkout.examples.filter((name) => only === undefined || only === name);
  for (const name of examples) note(runExample(checkout, name, modules));
  const shown = rows.filter(({ name }) => name !== 'server');
  const passed = shown.reduce((sum, row) => sum + row.passed, 0);
  const total = shown.reduce((sum, row) => sum + row.total, 0);
  if (total > 0)
    console.log(`examples: ${passed} of ${total} passed (${((100 * passed) / total).toFixed(1)} %)`);
  const isEnough = only !== undefined || passed >= total * MOST_EXAMPLES;
  return rows.every(({ isFine }) => isFine) && isEnough;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { modules: { type: 'string' }, only: { type: 'string' } },
});
const folder = resolve(positionals[0] ?? '.');
if (positionals.length !== 1 || !Checkout.isOne(folder)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const modules = values.modules === undefined ? undefined : resolve(values.modules);
  process.exitCode = run(new Checkout(folder), modules, values.only) ? 0 : 1;
}
