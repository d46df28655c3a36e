import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { badRequest, busy } from '../../http/transport/request-error.ts';

const unpack = promisify(gunzip);

/** Bytes of blobs that are kept; the oldest go when more come. */
export const MOST_BLOB_BYTES = 256 * 1024 * 1024;

/** A blob as it was sent. */
interface Blob {
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
}

/** What clients upload, by its SHA-256, until newer blobs take its place. */
export class Blobs {
  readonly #blobs = new Map<string, Blob>();
  #bytes = 0;

  /**
   * Keeps a blob and returns its name, in hexadecimal.
   * @param isPacked whether it is packed by gzip, and is to be unpacked when it is read
   */
  add(blob: Uint8Array, isPacked: boolean): string {
    if (blob.length > MOST_BLOB_BYTES) throw busy(`Blobs of up to ${MOST_BLOB_BYTES} bytes are kept.`);
    const name = createHash('sha256').update(blob).digest('hex');
    this.#remove(name);
    this.#blobs.set(name, { bytes: blob, isPacked });
    this.#bytes += blob.length;
    for (const oldest of this.#blobs.keys()) {
      if (this.#bytes <= MOST_BLOB_BYTES) break;
      this.#remove(oldest);
    }
    return name;
  }

  /** What was sent under a name. Rejects with `RequestError` 400 for what cannot be unpacked, or has more than `MOST_BLOB_BYTES` then. */
  async read(name: Uint8Array): Promise<Uint8Array | undefined> {
    const blob = this.#blobs.get(Buffer.from(name).toString('hex'));
    if (!blob?.isPacked) return blob?.bytes;
    try {
      return new Uint8Array(await unpack(blob.bytes, { maxOutputLength: MOST_BLOB_BYTES }));
    } catch {
      throw badRequest(`The blob is not packed by gzip, or has more than ${MOST_BLOB_BYTES} bytes.`);
    }
  }

  #remove(name: string): void {
    this.#bytes -= this.#blobs.get(name)?.bytes.length ?? 0;
    this.#blobs.delete(name);
  }
}
