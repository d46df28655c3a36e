import { EngineStoppedError } from '../src/engine/host.ts';
import { suiteNames } from './canister-names.ts';
import { CompileError, type MotokoCompiler } from './compiler.ts';
import type { CompileRequest } from './compile-process.ts';
import { compilerSettings, UnsupportedFlagError } from './compiler-flags.ts';
import { parseScript, ScriptError } from './drun-script.ts';
import { lineDiff } from './line-diff.ts';
import { normalise } from './normalise.ts';
import { DrunSession } from './session.ts';
import type { SuiteTest } from './suite.ts';

export type TestResult =
  | { readonly status: 'passed' }
  | { readonly status: 'differs'; readonly diff: readonly string[] }
  | { readonly status: 'skipped'; readonly reason: string };

const skipped = (reason: string): TestResult => ({ status: 'skipped', reason });

/** Compiles a test, runs its script and compares the output with the suite's. */
export async function runTest(compiler: MotokoCompiler, test: SuiteTest): Promise<TestResult> {
  if (test.skip !== undefined) return skipped(test.skip);
  const modules = new Map(test.prebuilt);
  try {
    const files = [...test.sources].map(([file, source]) => ({
      file,
      source,
      settings: compilerSettings(source, test),
    }));
    requireOnePersistence(test, files);
    for (const file of files) modules.set(file.file, await compiler.compile(file));
  } catch (error) {
    if (error instanceof UnsupportedFlagError) return skipped(`the flag ${error.message}`);
    if (error instanceof CompileError)
      return skipped(`npm motoko refuses it: ${error.message.slice(0, 160)}`);
    throw error;
  }
  const output = normalise(suiteNames(await outputOf(test, modules)));
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
    // The other tests go on: each has a network of its own.
    if (error instanceof EngineStoppedError) return `${error.message}\n`;
    throw error;
  }
}

/** The change from classical to enhanced persistence has to be asked for by a flag that npm `motoko` cannot set. */
function requireOnePersistence(test: SuiteTest, files: readonly CompileRequest[]): void {
  const kinds = new Set(files.map(({ settings }) => settings.persistence));
  if (kinds.size === 1 || test.expected.includes('Detected implicit upgrade')) return;
  if (kinds.size > 1) throw new UnsupportedFlagError('--enhanced-orthogonal-persistence');
}
