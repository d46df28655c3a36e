// Compiles the cycles minting canister and keeps its module beside the sources; with --check it only compares.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const FOLDER = 'canisters/system/cmc';
/** A Motoko package of ours that it uses besides the compiler's own. */
const CERTIFIED = 'examples/certified/src';
/** The compiler recurses more deeply on this actor than the stack of a main thread allows. */
const STACK_MB = 200;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const kept = new URL('./cmc.wasm.gz', import.meta.url);

/** The part of the npm package `motoko` that is used here; it brings no types for it. */
interface Compiler {
  write(path: string, content: string): void;
  usePackage(name: string, folder: string): void;
  loadPackage(bundle: unknown): void;
  setPublicMetadata(names: string[]): void;
  compiler: {
    compileWasm(
      mode: 'ic',
      path: string,
    ): { diagnostics: readonly { message: string }[]; code: { wasm: Uint8Array } | null };
  };
}

async function compile(): Promise<Uint8Array> {
  const load = createRequire(import.meta.url);
  const compiler = load('motoko') as Compiler;
  compiler.loadPackage(load('motoko/packages/latest/core.json'));
  compiler.usePackage('certified', CERTIFIED);
  for (const folder of [FOLDER, CERTIFIED]) {
    const files = await readdir(join(root, folder));
    for (const file of files.filter((each) => each.endsWith('.mo')))
      compiler.write(`${folder}/${file}`, await readFile(join(root, folder, file), 'utf8'));
  }
  compiler.setPublicMetadata(['candid:service', 'candid:args', 'motoko:stable-types']);
  const { code, diagnostics } = compiler.compiler.compileWasm('ic', `${FOLDER}/main.mo`);
  if (code) return code.wasm;
  throw new Error(`The sources do not compile:\n${diagnostics.map(({ message }) => message).join('\n')}`);
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { resourceLimits: { stackSizeMb: STACK_MB } });
  const wasm = await new Promise<Uint8Array>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (!process.argv.includes('--check')) await writeFile(kept, gzipSync(wasm, { level: 9 }));
  else if (!gunzipSync(await readFile(kept)).equals(wasm))
    throw new Error('The module is not that of its sources.');
  process.stdout.write(`cmc: ${wasm.length} bytes\n`);
} else parentPort?.postMessage(await compile());
