import { crc32 } from 'node:zlib';
import { PAGE_BYTES } from './batch.ts';

const SUM_OF_ZEROS = crc32(Buffer.alloc(PAGE_BYTES));

/** CRC-32 of a page, shifted so that a page of zeros has 0: a hole in a file is then a right page. */
export function pageSum(page: Uint8Array): number {
  return (crc32(page) ^ SUM_OF_ZEROS) >>> 0;
}

/** CRC-32 of a key and its value: a value found under the wrong key is as wrong as a changed one. */
export function entrySum(key: string, value: Uint8Array): number {
  return crc32(value, crc32(key));
}
