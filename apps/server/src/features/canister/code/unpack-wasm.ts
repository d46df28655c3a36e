import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MAX_WASM_BYTES } from '@cannery/contract';
import { AppError } from '../../../errors.ts';

const inflate = promisify(gunzip);

/** Whether bytes are gzip, one of the two forms that install_code takes. */
export function isGzip(wasm: Uint8Array): boolean {
  return wasm[0] === 0x1f && wasm[1] === 0x8b;
}

/**
 * Unpacks a module when it is gzip, beside the work of this thread; other bytes are answered as they are.
 * @throws AppError payload_too_large above what the network takes, invalid_wasm for damaged gzip data
 */
export async function unpackWasm(wasm: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(wasm)) return wasm;
  try {
    return await inflate(wasm, { maxOutputLength: MAX_WASM_BYTES });
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw tooLarge
      ? new AppError(
          'payload_too_large',
          'The module unpacks to more than 100 MiB, the most the network takes.',
          { cause: error },
        )
      : new AppError('invalid_wasm', 'The gzip data of the module is damaged.', { cause: error });
  }
}
