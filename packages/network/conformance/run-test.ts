import { EngineStoppedError } from '@cannery/replica/engine/host';
import { normalise, suiteNames } from './normalise.ts';
import { parseScript, ScriptError } from './drun-script.ts';
import { lineDiff } from './line-diff.ts';
import { DrunSession } from './session.ts';
import type { SuiteTest } from './suite.ts';
import { CompileError, type MotokoCompiler } from './compiler.ts';
import type { CompileRequest } from './compile-process.ts';
import { compilerSettings, UnsupportedFlagError } from './compiler-flags.ts';

/** The modules of a test by the names its script uses, or why the test cannot run here. */
export type CompiledTest = { readonly modules: ReadonlyMap<string, Uint8Array> } | { readonly skip: string };

const REASON_LENGTH = 160;

/** Compiles every source file of a test as the suite's `run.sh` does. */
export async function compileTest(compiler: MotokoCompiler, test: SuiteTest): Promise<CompiledTest> {
  if (test.skip !== undefined) return { skip: test.skip };
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
    if (error instanceof UnsupportedFlagError) return { skip: `the flag ${error.message}` };
    if (error instanceof CompileError) {
      return { skip: `npm motoko refuses it: ${error.message.slice(0, REASON_LENGTH)}` };
    }
    throw error;
  }
  return { modules };
}

/** The change from classical to enhanced persistence has to be asked for by a flag that npm `motoko` cannot set. */
function requireOnePersistence(test: SuiteTest, files: readonly CompileRequest[]): void {
  const kinds = new Set(files.map(({ settings }) => settings.persistence));
  if (kinds.size === 1 || test.expected.includes('Detected implicit upgrade')) return;
  if (kinds.size > 1) throw new UnsupportedFlagError('--enhanced-orthogonal-persistence');
}

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
