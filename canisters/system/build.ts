// Compiles the system canisters and keeps their modules beside the sources; with --check it only compares. Named canisters, or all.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { keepVersion } from './keep-version.ts';
import {
  type CanisterName,
  canisterNames,
  compilerVersion,
  moduleUrl,
  packagesOf,
  sourcesOf,
  stampOf,
  stampUrl,
} from './sources.ts';

/** The part of the npm package `motoko` that is used here; it brings no types for it. */
interface Compiler {
  write(path: string, content: string): void;
  usePackage(name: string, folder: string): void;
  loadPackage(bundle: unknown): void;
  setPublicMetadata(names: string[]): void;
  compiler: {
    compileWasm(mode: 'ic', path: string): { diagnostics: Diagnostic[]; code: { wasm: Uint8Array } | null };
  };
}

interface Diagnostic {
  readonly source: string;
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
}

/** Of the Language Server Protocol, as the compiler counts severities. */
const ERROR = 1;

/** The sources of a system canister do not compile. */
class SystemCanisterBuildError extends Error {
  override readonly name = 'SystemCanisterBuildError';
}

const load = createRequire(import.meta.url);

function compile(name: CanisterName, sources: ReadonlyMap<string, string>): Uint8Array {
  const { version } = load('motoko/package.json') as { version: string };
  if (version !== compilerVersion) {
    throw new SystemCanisterBuildError(`The compiler is ${version}; sources.ts names ${compilerVersion}.`);
  }
  const compiler = load('motoko') as Compiler;
  compiler.loadPackage(load('motoko/packages/latest/core.json'));
  for (const [packageName, folder] of Object.entries(packagesOf(name)))
    compiler.usePackage(packageName, folder);
  for (const [path, text] of sources) compiler.write(path, text);
  compiler.setPublicMetadata(['candid:service', 'candid:args', 'motoko:stable-types']);
  const { code, diagnostics } = compiler.compiler.compileWasm('ic', `canisters/system/${name}/main.mo`);
  const lines = diagnostics.map(
    ({ source, range, message }) => `${source}:${range.start.line + 1}: ${message}`,
  );
  if (code === null || diagnostics.some(({ severity }) => severity === ERROR)) {
    throw new SystemCanisterBuildError(`${name} does not compile:\n${lines.join('\n')}`);
  }
  for (const line of lines) process.stdout.write(`${line}\n`);
  return code.wasm;
}

async function keep(name: CanisterName): Promise<void> {
  const sources = await sourcesOf(name);
  const wasm = compile(name, sources);
  const module = gzipSync(wasm, { level: 9 });
  await writeFile(moduleUrl(name), module);
  await writeFile(stampUrl(name), stampOf(sources, module));
  await keepVersion(name, module);
  process.stdout.write(`${name}: ${wasm.length} bytes, ${module.length} compressed\n`);
}

async function check(name: CanisterName): Promise<void> {
  const wasm = compile(name, await sourcesOf(name));
  const kept = gunzipSync(await readFile(moduleUrl(name)));
  if (!kept.equals(wasm))
    throw new SystemCanisterBuildError(`${name}: the module is not that of its sources.`);
  process.stdout.write(`${name}: the module is that of its sources\n`);
}

/** The compiler recurses over its input, more deeply for a large actor; MB of stack. */
const STACK_MB = 200;

/** Does it in a new thread: what a compiler makes depends on what it has compiled before. */
function inThread(name: CanisterName, isCheck: boolean): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { name, isCheck },
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}

if (isMainThread) {
  const given = process.argv.slice(2);
  const named = canisterNames.filter((name) => given.includes(name));
  try {
    for (const name of named.length > 0 ? named : canisterNames)
      await inThread(name, given.includes('--check'));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
} else {
  const { name, isCheck } = workerData as { name: CanisterName; isCheck: boolean };
  await (isCheck ? check(name) : keep(name));
}
