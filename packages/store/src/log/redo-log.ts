import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Batch } from '../files/batch.ts';
import { pageSum } from '../files/checksum.ts';
import { readFully, syncDirectory, writeFully } from '../files/directory.ts';
import { StoreDamagedError, StoreFailedError, StoreFormatError } from '../files/errors.ts';
import { encodeMark, type LogScan, MARK_BYTES, NONCE_BYTES, scanLog } from './log-scan.ts';
import { encodeRecord, type RecordContent } from './record.ts';

const FORMAT = Buffer.from('cannery redo log 2\n\0', 'latin1');
/** After the format comes the CRC-32 (u32) of the nonce, without which no mark would count, and then the nonce. */
const NONCE_AT = FORMAT.length + 4;
const HEADER_BYTES = NONCE_AT + NONCE_BYTES;
/** Records up to this size are written with one system call; larger ones in pieces of it. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** An append-only file of records and marks. */
export class RedoLog {
  readonly path: string;
  readonly fd: number;
  readonly #nonce: Uint8Array;
  #end: number;
  #records: boolean;

  private constructor(path: string, fd: number, nonce: Uint8Array, end = HEADER_BYTES, records = false) {
    this.path = path;
    this.fd = fd;
    this.#nonce = nonce;
    this.#end = end;
    this.#records = records;
  }

  /** Makes an empty log; it appears under its name only when complete. */
  static create(path: string): RedoLog {
    const nonce = randomBytes(NONCE_BYTES);
    const fd = openSync(`${path}.new`, 'w+');
    writeFully(fd, headerOf(nonce), 0);
    fsyncSync(fd);
    renameSync(`${path}.new`, path);
    syncDirectory(dirname(path));
    return new RedoLog(path, fd, nonce);
  }

  /** As `create`, but the thread does not wait for the disk. */
  static async prepare(path: string): Promise<RedoLog> {
    const nonce = randomBytes(NONCE_BYTES);
    const temporary = await open(`${path}.new`, 'w');
    try {
      await temporary.writeFile(headerOf(nonce));
      await temporary.sync();
    } finally {
      await temporary.close();
    }
    await rename(`${path}.new`, path);
    const directory = await open(dirname(path), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
    return new RedoLog(path, openSync(path, 'r+'), nonce);
  }

  /**
   * Opens a log and visits its whole records (see `scanLog`). Changes nothing: what follows them is to be cut with
   * `truncate`. Throws `StoreDamagedError` or `StoreFormatError` when the header is wrong.
   */
  static open(
    path: string,
    after: number,
    visit: (content: RecordContent, position: number, log: RedoLog) => void,
  ): { log: RedoLog; scan: LogScan } {
    const fd = openSync(path, 'r+');
    try {
      const nonce = readHeader(path, fd);
      const log = new RedoLog(path, fd, nonce);
      const scan = scanLog(fd, { start: HEADER_BYTES, after, nonce }, (content, position) => {
        log.#records = true;
        visit(content, position, log);
      });
      log.#end = scan.end;
      return { log, scan };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  get isEmpty(): boolean {
    return !this.#records;
  }

  /** Bytes of records and marks. */
  get bytes(): number {
    return this.#end - HEADER_BYTES;
  }

  /** Removes what follows the last whole record or mark, for good. */
  truncate(): void {
    if (fstatSync(this.fd).size === this.#end) return;
    ftruncateSync(this.fd, this.#end);
    fsyncSync(this.fd);
  }

  /** Appends one record. Throws `StoreFailedError` when the disk refuses; the log is then as before. */
  append(batch: Batch, sequence: number): { content: RecordContent; position: number } {
    const { start, content } = encodeRecord(batch, sequence);
    const position = this.#end;
    try {
      this.#end = this.#write(start, batch, position);
    } catch (error) {
      this.#cutBack();
      const why = error instanceof Error ? error.message : String(error);
      throw new StoreFailedError(`The redo log ${this.path} could not be written: ${why}.`, { cause: error });
    }
    this.#records = true;
    return { content, position };
  }

  /** Notes that everything up to `sequence` is on disk. Without room for the note it stays away: it only proves. */
  mark(sequence: number): void {
    try {
      writeFully(this.fd, encodeMark(sequence, this.#nonce), this.#end);
      this.#end += MARK_BYTES;
    } catch {
      this.#cutBack();
    }
  }

  read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readFully(this.fd, bytes, position) === length) return bytes;
    throw new StoreDamagedError(this.path, 'it became shorter');
  }

  close(): void {
    closeSync(this.fd);
  }

  /** Removes what was written of a record or mark that failed. */
  #cutBack(): void {
    try {
      ftruncateSync(this.fd, this.#end);
    } catch {
      // What follows the end counts for nothing, and the next record overwrites it.
    }
  }

  #write(start: Uint8Array, batch: Batch, position: number): number {
    const buffer = writeBuffer;
    let filled = 0;
    let at = position;
    const flush = (): void => {
      writeFully(this.fd, buffer.subarray(0, filled), at);
      at += filled;
      filled = 0;
    };
    const add = (bytes: Uint8Array): void => {
      for (let done = 0; done < bytes.length; ) {
        if (filled === BUFFER_BYTES) flush();
        const count = Math.min(bytes.length - done, BUFFER_BYTES - filled);
        buffer.set(bytes.subarray(done, done + count), filled);
        filled += count;
        done += count;
      }
    };
    let check = crc32(start);
    add(start);
    for (const { bytes } of batch.pages) {
      number.writeUInt32LE(pageSum(bytes));
      check = crc32(number, check);
      add(number);
      add(bytes);
    }
    number.writeUInt32LE(check);
    add(number);
    flush();
    return at;
  }
}

/** Shared by the logs of a thread: only one record is written at a time. */
const writeBuffer = Buffer.allocUnsafe(BUFFER_BYTES);
const number = Buffer.alloc(4);

function headerOf(nonce: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.set(FORMAT);
  header.writeUInt32LE(crc32(nonce), FORMAT.length);
  header.set(nonce, NONCE_AT);
  return header;
}

/** The nonce. Logs of earlier versions have zeros in place of its check. */
function readHeader(path: string, fd: number): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readFully(fd, header, 0) < HEADER_BYTES) throw new StoreDamagedError(path, 'its header is incomplete');
  if (FORMAT.equals(header.subarray(0, FORMAT.length))) {
    const nonce = new Uint8Array(header.subarray(NONCE_AT));
    const check = header.readUInt32LE(FORMAT.length);
    if (check === 0 || check === crc32(nonce)) return nonce;
    throw new StoreDamagedError(path, 'its header is broken');
  }
  if (header.toString('latin1').startsWith('cannery redo log 1\n')) {
    throw new StoreFormatError(`The file ${path} was written by an older version; reset the data folder.`);
  }
  throw new StoreDamagedError(path, 'its header is not that of a log');
}
