import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import asc from 'assemblyscript/asc';
import { candidPath, folder, outputFolder, outputPath, sourceStamp, stampPath } from './sources.ts';
import { finishModule } from './wasm-sections.ts';

const ENTRY = 'assembly/index.ts';
const COMPILED = 'assets.wasm';
/** Type of the install argument, for tools that ask for it. */
const INSTALL_ARGUMENT =
  '(opt variant { ' +
  'Init : record { set_permissions : opt record { prepare : vec principal; commit : vec principal; manage_permissions : vec principal } }; ' +
  'Upgrade : record { set_permissions : opt record { prepare : vec principal; commit : vec principal; manage_permissions : vec principal } } })';

/** The sources did not compile, or compiled to a module that no canister may be. */
class AssetCanisterBuildError extends Error {
  override readonly name = 'AssetCanisterBuildError';
}

async function compile(): Promise<Uint8Array> {
  let compiled: Uint8Array | undefined;
  const messages: string[] = [];
  const options: Record<string, string> = {
    outFile: COMPILED,
    runtime: 'minimal',
    optimizeLevel: '3',
    shrinkLevel: '0',
    use: 'abort=assembly/base/system/abort',
    baseDir: folder,
  };
  // The table holds the functions that go on with a long message; hosts that are no replica call them through it.
  const flags = [
    ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    '--exportTable',
  ];
  const { error } = await asc.main([ENTRY, ...flags], {
    stderr: { write: (text: string | Uint8Array) => void messages.push(String(text)) },
    readFile: async (file: string, base: string) => readFile(resolve(base, file), 'utf8').catch(() => null),
    writeFile: async (_file: string, contents: string | Uint8Array) => {
      if (typeof contents !== 'string') compiled = contents;
    },
    listFiles: async () => [],
  });
  if (error !== null || compiled === undefined) {
    throw new AssetCanisterBuildError(`the asset canister does not compile:\n${messages.join('')}`);
  }
  return compiled;
}

/** `canister_query__get` becomes `canister_query get`: no identifier of the source language can have a space. */
function canisterExport(name: string): string {
  return name.replace('__', ' ');
}

function checkImports(module: Uint8Array): void {
  const foreign = WebAssembly.Module.imports(new WebAssembly.Module(Uint8Array.from(module))).filter(
    (entry) => entry.module !== 'ic0',
  );
  if (foreign.length > 0) {
    throw new AssetCanisterBuildError(
      `imports that no canister has: ${foreign.map((entry) => entry.name).join(', ')}`,
    );
  }
}

/**
 * Compiles the asset canister and writes it to `dist`.
 * @throws AssetCanisterBuildError when the sources do not compile.
 */
export async function buildAssetCanister(): Promise<Uint8Array> {
  const stamp = await sourceStamp();
  const candid = await readFile(candidPath, 'utf8');
  const sections = new Map([
    ['icp:public candid:service', candid],
    ['icp:public candid:args', INSTALL_ARGUMENT],
    ['icp:public supported_certificate_versions', '1,2'],
  ]);
  const module = finishModule(await compile(), canisterExport, sections);
  checkImports(module);
  await mkdir(outputFolder, { recursive: true });
  await replaceFile(outputPath, module);
  await replaceFile(stampPath, stamp);
  return module;
}

/** Whoever reads the file meanwhile sees the old or the new content, never a part. */
async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, path);
}

if (import.meta.main) {
  const module = await buildAssetCanister();
  process.stdout.write(`canisters/assets/dist/assets.wasm: ${module.length} bytes\n`);
}
