#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type CompiledTest, compileTest, runTest } from './run-test.ts';
import { MotokoCompiler } from './compiler.ts';
import type { Persistence } from './compiler-flags.ts';
import { Report } from './report.ts';
import { findSuite, readSuite, SuiteError, type SuiteTest } from './suite.ts';

const USAGE = `Usage: run-drun <folder of a checkout of dfinity/motoko> [options]

Runs the suite test/run-drun on this network: each test is compiled with npm motoko, its script carried out, and the
output compared with the expected one. Ends with code 1 when less than 95 % of the tests that can run pass, or when a
difference shows that is not listed in report.ts.

Options:
  --filter <text>             only tests whose name contains the text
  --persistence <kind>        enhanced, classic or both (default both)
  --list                      only name the tests
  --verbose                   show the difference of tests with known differences too
  --help                      show this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    filter: { type: 'string', default: '' },
    persistence: { type: 'string', default: 'both' },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const KINDS: Readonly<Record<string, readonly Persistence[]>> = {
  enhanced: ['enhanced'],
  classic: ['classic'],
  both: ['enhanced', 'classic'],
};

async function runAll(suite: string, tests: readonly SuiteTest[]): Promise<boolean> {
  const compiler = new MotokoCompiler(suite);
  const report = new Report(values.verbose);
  const compile = async (test: SuiteTest | undefined): Promise<CompiledTest | undefined> =>
    test && (await compileTest(compiler, test));
  try {
    let next = compile(tests[0]);
    for (const [index, test] of tests.entries()) {
      const compiled = await next;
      // While a test runs, the next one is compiled.
      next = compile(tests[index + 1]);
      if (compiled) report.add(test, await runTest(test, compiled));
    }
  } finally {
    await compiler.close();
  }
  return report.finish(values.filter === '' && values.persistence === 'both');
}

async function main(folder: string, kinds: readonly Persistence[]): Promise<number> {
  const suite = findSuite(folder);
  const tests = kinds
    .flatMap((kind) => readSuite(suite, kind))
    .filter(({ name }) => name.includes(values.filter));
  if (!values.list) return (await runAll(suite, tests)) ? 0 : 1;
  for (const { name, persistence } of tests) console.log(`${name} (${persistence})`);
  return 0;
}

const [folder] = positionals;
const kinds = KINDS[values.persistence];
if (values.help || folder === undefined || !kinds) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  try {
    process.exitCode = await main(folder, kinds);
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
