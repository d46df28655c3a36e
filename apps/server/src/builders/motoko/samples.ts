import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CompiledModule, CompileError, compileMotoko } from './compile.ts';
import { flagAttempts } from '../source/flags.ts';
import { compilationKey, keepCompilation, recallCompilation } from './kept-modules.ts';
import { ownFiles } from '../tenant/own-files.ts';
import { listFiles } from '../source/project-files.ts';

/** A file below the folder of the examples. */
const path = z.string().regex(/^[\w.-]+(\/[\w.-]+)*$/);

const sampleVersion = z.strictObject({
  version: z.string(),
  /** The main file, in the sample's folder. */
  main: path,
  notes: z.string(),
});

const sampleDapp = z.strictObject({
  name: z.string(),
  /** Its folder in `examples`. */
  folder: path,
  kind: z.enum(['website', 'token', 'tool']),
  description: z.string(),
  /** A PNG of 256 by 256 pixels, in the sample's folder. */
  icon: path,
  /** An example of the arguments of an installation, as Candid text; an upgrade takes `()`. */
  argument: z.string(),
  /** Oldest first. Each can be upgraded to the next and keeps its data. */
  versions: z.array(sampleVersion).nonempty(),
});

/** A dapp that comes with the product, to fill an empty marketplace. */
export type SampleDapp = z.infer<typeof sampleDapp>;
export type SampleVersion = z.infer<typeof sampleVersion>;

const EXAMPLES = fileURLToPath(new URL('../../../../../examples', import.meta.url));
/** The Motoko library that samples share; a package of this name for the compiler. */
const LIBRARY = 'certified';
/** Compiled modules, beside what else is made of the sources at the first start. */
const KEPT = fileURLToPath(new URL('../../../../../.cache/sample-wasm', import.meta.url));
/** A sample compiles within seconds; this is for a machine that is busy. */
const TIMEOUT_MS = 180_000;

/** The sample dapps in the order of `examples/dapps.json`. */
export async function readSamples(): Promise<SampleDapp[]> {
  const manifest = await readFile(join(EXAMPLES, 'dapps.json'), 'utf8');
  return z.strictObject({ dapps: z.array(sampleDapp) }).parse(JSON.parse(manifest)).dapps;
}

/** The bytes of a sample's icon, a PNG. */
export function readSampleIcon({ folder, icon }: SampleDapp): Promise<Buffer> {
  return readFile(join(EXAMPLES, folder, icon));
}

/**
 * The module of one version of a sample, with its Candid interface and stable types as public metadata. It is compiled
 * once: all that it is made of comes with the product, so the module is kept beside it until a source or the compiler changes.
 * @throws CompileError when it does not compile
 */
export async function sampleModule(
  { folder }: Pick<SampleDapp, 'folder'>,
  { main }: Pick<SampleVersion, 'main'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const examples = ownFiles(EXAMPLES);
  const sources = [
    ...(await listFiles(examples, ['.mo'], folder)),
    ...(await listFiles(examples, ['.mo'], LIBRARY)),
  ];
  const path = posix.join(folder, main);
  const texts = new Map<string, string>();
  for (const source of sources) texts.set(source, await readFile(join(EXAMPLES, source), 'utf8'));
  const key = compilationKey({ main: path }, texts);
  const kept = await recallCompilation(KEPT, key);
  if (kept !== undefined) return kept.module.wasm;
  const files = new Map([...texts].map(([source, text]) => [source, Buffer.from(text)]));
  const module = await compile(path, files, signal);
  await keepCompilation(KEPT, key, module, []);
  return module.wasm;
}

/**
 * The module that a newcomer installs first: the counter that is a starter template as well.
 * @throws CompileError when it does not compile
 */
export function counterModule(signal: AbortSignal): Promise<Uint8Array> {
  return sampleModule({ folder: 'motoko-counter' }, { main: 'src/main.mo' }, signal);
}

async function compile(
  main: string,
  sources: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<CompiledModule> {
  const lines: string[] = [];
  const request = {
    // It is kept here, where nothing of the compiler is needed to find it.
    kept: null,
    main,
    sources,
    attempts: flagAttempts([]),
    packages: [[LIBRARY, posix.join(LIBRARY, 'src')]] satisfies [string, string][],
    wanted: [],
    missing: [],
    aliases: [],
    canisters: [],
  };
  try {
    const onLine = (line: string): unknown => lines.push(line);
    return await compileMotoko(request, { timeoutMs: TIMEOUT_MS, signal, onLine });
  } catch (error) {
    throw new CompileError(`${main}: ${lines.join('\n')}`, { cause: error });
  }
}
