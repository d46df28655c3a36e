import { EngineStoppedError } from '@cannery/replica/engine/host';
import { suiteNames } from './canister-names.ts';
import type { CompiledTest } from './compile-test.ts';
import { parseScript, ScriptError } from './drun-script.ts';
import { lineDiff } from './line-diff.ts';
import { normalise } from './normalise.ts';
import { DrunSession } from './session.ts';
import type { SuiteTest } from './suite.ts';

/** What became of a test; `diff` as `lineDiff` makes it. */
export type TestResult =
  | { readonly status: 'passed' }
  | { readonly status: 'differs'; readonly diff: readonly string[] }
  | { readonly status: 'skipped'; readonly reason: string };

/** Runs the script of a test and compares the output with the suite's. */
export async function runTest(test: SuiteTest, compiled: CompiledTest): Promise<TestResult> {
  if ('skip' in compiled) return { status: 'skipped', reason: compiled.skip };
  const output = normalise(suiteNames(await outputOf(test, compiled.modules)));
  const expected = normalise(test.expected);
  if (output === expected) return { status: 'passed' };
  return { status: 'differs', diff: lineDiff(expected, output) };
}

async function outputOf(test: SuiteTest, modules: ReadonlyMap<string, Uint8Array>): Promise<string> {
  try {
    const commands = parseScript(test.script);
    await using session = await DrunSession.start(modules, test.applicationSubnet);
    return await session.run(commands);
  } catch (error) {
    if (error instanceof ScriptError) return `Error: ${error.message}\n`;
    // The other tests go on: each has its own network.
    if (error instanceof EngineStoppedError) return `${error.message}\n`;
    throw error;
  }
}
