import type { ProgramPackage } from './fetch-program.ts';

/** npm has the program for this platform alone. */
const IC_WASM = '@icp-sdk/ic-wasm-linux-x64';

/** What has `ic-wasm`, which build scripts call to shrink modules and to write into their metadata; null on other machines. */
export const icWasm: ProgramPackage | null =
  process.platform === 'linux' && process.arch === 'x64'
    ? { name: IC_WASM, version: '0.11.1', bin: `node_modules/${IC_WASM}/bin` }
    : null;
