import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Batch } from './batch.ts';
import { syncDirectory, writeFully } from './directory.ts';
import { StoreFailedError } from './errors.ts';
import {
  CHECK_BYTES,
  decodeRecord,
  decodeSize,
  encodeRecord,
  FIXED_BYTES,
  type RecordContent,
  recordBytes,
} from './record.ts';

const HEADER = Buffer.from('cannery redo log 1\n\0\0\0\0\0', 'latin1');
/** Records up to this size are written with one system call; larger ones in pieces of it. */
const BUFFER_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

function readFully(fd: number, length: number, position: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** An append-only file of records. A record is whole or, after a crash, cut off when the log is opened again. */
export class RedoLog {
  readonly path: string;
  readonly fd: number;
  #end: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);

  private constructor(path: string, fd: number, end: number) {
    this.path = path;
    this.fd = fd;
    this.#end = end;
  }

  /** Makes an empty log; it appears under its name only when complete. */
  static create(path: string): RedoLog {
    const temporary = `${path}.new`;
    const fd = openSync(temporary, 'w+');
    writeFully(fd, HEADER, 0);
    fsyncSync(fd);
    renameSync(temporary, path);
    syncDirectory(dirname(path));
    return new RedoLog(path, fd, HEADER.length);
  }

  /** Opens a log, hands every whole record to `replay` with its position, and cuts what follows the last one. */
  static recover(path: string, replay: (content: RecordContent, position: number) => void): RedoLog {
    const fd = openSync(path, 'r+');
    const log = new RedoLog(path, fd, HEADER.length);
    const { size } = fstatSync(fd);
    for (;;) {
      const found = log.#readRecord(log.#end, size);
      if (found === undefined) break;
      replay(found.content, log.#end);
      log.#end += found.bytes;
    }
    if (size > log.#end) {
      ftruncateSync(fd, log.#end);
      fsyncSync(fd);
    }
    return log;
  }

  get isEmpty(): boolean {
    return this.#end === HEADER.length;
  }

  /** Bytes of records. */
  get bytes(): number {
    return this.#end - HEADER.length;
  }

  /** Appends one record. Throws `StoreFailedError` when the disk refuses; the log is then as before. */
  append(batch: Batch, sequence: number): { content: RecordContent; position: number } {
    const { start, content } = encodeRecord(batch, sequence);
    const position = this.#end;
    try {
      this.#end = this.#write(start, batch, position);
    } catch (error) {
      this.#cutBack(position);
      throw new StoreFailedError('The redo log could not be written.', { cause: error });
    }
    return { content, position };
  }

  read(position: number, length: number): Buffer {
    return readFully(this.fd, length, position);
  }

  sync(): void {
    fdatasyncSync(this.fd);
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Removes what was written of a failed record; should that fail too, the next record overwrites it. */
  #cutBack(position: number): void {
    try {
      ftruncateSync(this.fd, position);
    } catch {
      this.#end = position;
    }
  }

  #write(start: Uint8Array, batch: Batch, position: number): number {
    const buffer = this.#buffer;
    let filled = 0;
    let at = position;
    let check = 0;
    const flush = (): void => {
      check = crc32(buffer.subarray(0, filled), check);
      writeFully(this.fd, buffer.subarray(0, filled), at);
      at += filled;
      filled = 0;
    };
    const add = (bytes: Uint8Array): void => {
      for (let done = 0; done < bytes.length; ) {
        if (filled > BUFFER_BYTES - CHECK_BYTES - 1) flush();
        const count = Math.min(bytes.length - done, BUFFER_BYTES - CHECK_BYTES - filled);
        buffer.set(bytes.subarray(done, done + count), filled);
        filled += count;
        done += count;
      }
    };
    add(start);
    for (const { bytes } of batch.pages) add(bytes);
    check = crc32(buffer.subarray(0, filled), check);
    filled = buffer.writeUInt32LE(check, filled);
    writeFully(this.fd, buffer.subarray(0, filled), at);
    return at + filled;
  }

  #readRecord(position: number, fileBytes: number): { content: RecordContent; bytes: number } | undefined {
    const size = decodeSize(readFully(this.fd, FIXED_BYTES, position));
    if (size === undefined) return undefined;
    const bytes = recordBytes(size);
    if (position + bytes > fileBytes) return undefined;
    let check = 0;
    const end = position + bytes - CHECK_BYTES;
    for (let at = position; at < end; at += READ_BYTES) {
      check = crc32(readFully(this.fd, Math.min(READ_BYTES, end - at), at), check);
    }
    if (readFully(this.fd, CHECK_BYTES, end).readUInt32LE(0) !== check) return undefined;
    return { content: decodeRecord(readFully(this.fd, FIXED_BYTES + size.headBytes, position)), bytes };
  }
}
