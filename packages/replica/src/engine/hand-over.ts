/**
 * Bytes in a buffer that holds nothing else and can be transferred to another thread: `bytes` themselves where they fill
 * theirs, else a copy. Who transfers the buffer takes `bytes` away from everybody else in this thread.
 */
export function handOver(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return fillsItsBuffer(bytes) ? bytes : new Uint8Array(bytes);
}

/** From this length on a reply changes hands in its own buffer instead of being copied, in bytes. */
export const LARGE_REPLY_BYTES = 64 * 1024;

/**
 * Frees the memory of a reply that nobody reads any more; `bytes` are the largest part of it. Only what is large: it changed
 * hands in its own buffer, while small replies share one. The collector would let some 64 MB of them pile up in each thread.
 */
export function free({ length, buffer }: Uint8Array): void {
  if (length > LARGE_REPLY_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function fillsItsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}
