/**
 * Bytes in a buffer that holds nothing else and can be transferred to another thread: `bytes` themselves where they fill
 * theirs, else a copy. Who transfers the buffer takes `bytes` away from everybody else in this thread.
 */
export function handOver(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return fillsItsBuffer(bytes) ? bytes : new Uint8Array(bytes);
}

function fillsItsBuffer(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}
