import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSample, type SampleDapp, type SampleVersion } from '../src/build/motoko/samples.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/sample-wasm', import.meta.url));

/** As `compileSample`; a module is kept in the project's cache folder until a source of it changes. */
export async function compiledSample(sample: SampleDapp, version: SampleVersion): Promise<Uint8Array> {
  const hash = createHash('sha256').update(`motoko 4.10.0 ${sample.folder} ${version.main}`);
  for (const file of globSync([`${sample.folder}/**/*.mo`, 'certified/**/*.mo'], { cwd: EXAMPLES }).sort()) {
    hash.update(file).update(readFileSync(join(EXAMPLES, file)));
  }
  const path = join(CACHE, `${hash.digest('hex')}.wasm`);
  if (existsSync(path)) return new Uint8Array(readFileSync(path));
  const { wasm } = await compileSample(sample, version, new AbortController().signal);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, wasm);
  renameSync(`${path}.${process.pid}`, path);
  return wasm;
}
