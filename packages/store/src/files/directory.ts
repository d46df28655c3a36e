import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

/** Makes created, renamed and removed names of a directory durable. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes all bytes at a position, going on after short writes. */
export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

/** Fills `into` from a position and returns how many bytes there were: fewer only at the end of the file. */
export function readFully(fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const count = readSync(fd, into, done, into.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
