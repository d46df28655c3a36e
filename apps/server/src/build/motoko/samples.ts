import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { CompileError, compileMotoko } from './compile.ts';
import type { CompiledModule } from './compile-protocol.ts';
import { flagAttempts } from './flags.ts';
import { listFiles } from './project-files.ts';

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
 * Compiles one version of a sample. The module has its Candid interface and stable types as public metadata.
 * @throws CompileError when it does not compile
 */
export async function compileSample(
  { folder }: SampleDapp,
  { main }: SampleVersion,
  signal: AbortSignal,
): Promise<CompiledModule> {
  const lines: string[] = [];
  const request = {
    root: EXAMPLES,
    main: posix.join(folder, main),
    sources: [
      ...(await listFiles(EXAMPLES, ['.mo'], folder)),
      ...(await listFiles(EXAMPLES, ['.mo'], LIBRARY)),
    ],
    attempts: flagAttempts([]),
    packages: [[LIBRARY, posix.join(LIBRARY, 'src')]] satisfies [string, string][],
    wanted: [],
  };
  try {
    return await compileMotoko(request, {
      timeoutMs: TIMEOUT_MS,
      signal,
      onLine: (line) => lines.push(line),
    });
  } catch (error) {
    throw new CompileError(`${request.main}: ${lines.join('\n')}`, { cause: error });
  }
}
