import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idOf } from './reading.ts';

/** The largest module the network takes (100 MiB, resource limits of the IC). */
export const MAX_WASM_BYTES = 100 * 1024 * 1024;

/** Whether a chosen file may be a WebAssembly module: by MIME type or by its name's ending. */
export function isWasmFile(file: { name: string; type: string }): boolean {
  return file.type === 'application/wasm' || file.name.toLowerCase().endsWith('.wasm');
}

export const documentEndpoints = {
  uploadWasm: endpoint({
    method: 'POST',
    path: '/document/upload',
    summary: 'Stores a WebAssembly module (raw or gzip) and answers its identifier',
    signedIn: true,
    upload: 'wasm',
    response: z.object({ data: z.object({ identifier: z.string() }), identifier: z.string() }),
    reading: idOf('identifier'),
  }),
};
