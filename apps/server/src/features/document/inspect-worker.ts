import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type CheckedModule, checkModule, InvalidModuleError } from '@cannery/replica/check-module';
import { MAX_WASM_BYTES } from '@cannery/contract';
import { serve } from '../../thread/serve-thread.ts';
import type { Inspection } from './inspect-module.ts';
import { KEEPS_MEMORY } from './wasm-module.ts';

/** How the network begins the reason for bytes that are no WebAssembly at all, or damaged. */
const NO_MODULE = /^Failed to (?:decode|validate) wasm module/;

/** Characters. A reason quotes names of the module, which may be long, break lines and turn the direction of a text. */
const MAX_REASON = 500;

const NO_EXPORTS =
  'This module exports no function of a canister. It can be installed, but nobody can call it.';

await serve<Uint8Array>((bytes): Inspection => {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const wasm = isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_WASM_BYTES }) : bytes;
  try {
    const checked = checkModule(wasm);
    // The database takes no NUL, and a hostile module may have it in every name.
    const exports = checked.exports
      .filter((name) => name.startsWith('canister_'))
      .map((name) => name.replaceAll('\0', ''));
    return {
      facts: {
        size: bytes.length,
        unpackedSize: wasm.length,
        unpackedSha256: createHash('sha256').update(wasm).digest('hex'),
        exports,
        candid: textOf(checked, 'candid:service'),
        candidArgs: textOf(checked, 'candid:args'),
        stableTypes: textOf(checked, 'motoko:stable-types'),
        keepsMemory: checked.metadata.has(KEEPS_MEMORY),
        warnings: exports.length === 0 ? [NO_EXPORTS] : [],
      },
    };
  } catch (error) {
    if (!(error instanceof InvalidModuleError)) throw error;
    const refusal = NO_MODULE.test(error.message) ? 'no module' : 'no canister';
    return { refusal, reason: error.message.slice(0, MAX_REASON).replaceAll(/\p{C}/gu, '\ufffd') };
  }
}, []);

function textOf({ metadata }: CheckedModule, name: string): string | null {
  const content = metadata.get(name);
  return content === undefined ? null : Buffer.from(content).toString('utf8').replaceAll('\0', '');
}
