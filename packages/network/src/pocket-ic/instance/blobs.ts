import { createHash } from 'node:crypto';
import { busy } from '../../http/transport/request-error.ts';

/** Bytes of blobs that are kept; the oldest go when more come. */
export const MOST_BLOB_BYTES = 256 * 1024 * 1024;

/** What clients upload, by its SHA-256, until newer blobs take its place. */
export class Blobs {
  readonly #blobs = new Map<string, Uint8Array>();
  #bytes = 0;

  /** Keeps a blob and returns its name, in hexadecimal. */
  add(blob: Uint8Array): string {
    if (blob.length > MOST_BLOB_BYTES) throw busy(`Blobs of up to ${MOST_BLOB_BYTES} bytes are kept.`);
    const name = createHash('sha256').update(blob).digest('hex');
    this.#remove(name);
    this.#blobs.set(name, blob);
    this.#bytes += blob.length;
    for (const oldest of this.#blobs.keys()) {
      if (this.#bytes <= MOST_BLOB_BYTES) break;
      this.#remove(oldest);
    }
    return name;
  }

  find(name: Uint8Array): Uint8Array | undefined {
    return this.#blobs.get(Buffer.from(name).toString('hex'));
  }

  #remove(name: string): void {
    this.#bytes -= this.#blobs.get(name)?.length ?? 0;
    this.#blobs.delete(name);
  }
}
