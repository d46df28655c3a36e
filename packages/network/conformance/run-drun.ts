#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { MotokoCompiler } from './compiler.ts';
import type { Persistence } from './compiler-flags.ts';
import { Report } from './report.ts';
import { runTest } from './run-test.ts';
import { findSuite, readSuite, type SuiteTest } from './suite.ts';

const USAGE = `Usage: run-drun <folder of a checkout of dfinity/motoko> [options]

Runs the suite test/run-drun on this network: each test is compiled with npm motoko, its script carried out, and the
output compared with the expected one. Ends with code 1 when less than 95 % of the tests that can run pass, or when a
difference shows that is not listed in known-differences.ts.

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
  try {
    for (const test of tests) report.add(test, await runTest(compiler, test));
  } finally {
    await compiler.close();
  }
  return report.finish(values.filter === '');
}

const [folder] = positionals;
const kinds = KINDS[values.persistence];
if (values.help || folder === undefined || !kinds) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const suite = findSuite(folder);
  const tests = kinds
    .flatMap((kind) => readSuite(suite, kind))
    .filter(({ name }) => name.includes(values.filter));
  if (values.list) for (const { name, persistence } of tests) console.log(`${name} (${persistence})`);
  else process.exitCode = (await runAll(suite, tests)) ? 0 : 1;
}
