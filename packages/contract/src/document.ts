import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idOf, type Reading } from './texts/reading.ts';

const MIB = 1024 * 1024;

/** The largest module the network takes (100 MiB, resource limits of the IC). */
export const MAX_WASM_BYTES = 100 * MIB;

/** The largest file that an icon is made of. */
export const MAX_ICON_BYTES = 5 * MIB;

/** What an icon may be made of; a choice of files is limited to them. */
export const ICON_TYPES = ['image/png', 'image/gif', 'image/jpeg'] as const;

/** Whether a chosen file may be a WebAssembly module: by MIME type or by its name's ending. */
export function isWasmFile(file: { name: string; type: string }): boolean {
  return file.type === 'application/wasm' || file.name.toLowerCase().endsWith('.wasm');
}

/** Whether a chosen file may become an icon, by its MIME type. */
export function isIconFile(file: { type: string }): boolean {
  return ICON_TYPES.some((type) => type === file.type);
}

const uploaded = z.object({ data: z.object({ identifier: z.string() }), identifier: z.string() });

/** A data URL of a picture, bare or wrapped; undefined for any other text. */
const pictureReading: Reading<string | undefined> = {
  read: (body) => {
    const text = idOf('data').read(body);
    return text?.startsWith('data:image/') ? text : undefined;
  },
};

export const documentEndpoints = {
  uploadWasm: endpoint({
    method: 'POST',
    path: '/document/upload',
    summary: 'Stores a WebAssembly module (raw or gzip) and answers its identifier',
    signedIn: true,
    again: 'same',
    upload: 'wasm',
    maxBytes: MAX_WASM_BYTES,
    response: uploaded.extend({
      /** What the user should know of the module, a sentence each; it is stored all the same. */
      warnings: z.array(z.string()),
    }),
    reading: idOf('identifier'),
  }),
  addSample: endpoint({
    method: 'POST',
    path: '/document/sample',
    summary: 'Stores the module that comes with the product, a counter, and answers its identifier',
    signedIn: true,
    again: 'same',
    response: uploaded,
    reading: idOf('identifier'),
  }),
  uploadIcon: endpoint({
    method: 'POST',
    path: '/document/upload/icon',
    summary: 'Stores a PNG, GIF or JPEG picture as an icon of 256 by 256 pixels and answers its identifier',
    signedIn: true,
    again: 'same',
    upload: 'icon',
    maxBytes: MAX_ICON_BYTES,
    response: uploaded,
    reading: idOf('identifier'),
  }),
  get: endpoint({
    method: 'GET',
    path: '/document/get/{identifier}',
    summary: 'Answers an icon as a data URL',
    signedIn: true,
    params: z.object({ identifier: z.string() }),
    response: z.object({ data: z.string() }),
    reading: pictureReading,
  }),
};
