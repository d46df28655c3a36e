import { createHash } from 'node:crypto';

/** A part of content, in bytes. */
export interface BlobPart {
  readonly at: number;
  readonly length: number;
}

/** Content that has come and has no name yet. */
export interface IncomingBlob {
  /** SHA-256, hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** All of it, or a part. @throws Error for a part that goes beyond its end */
  read(part?: BlobPart): Promise<Buffer>;
  /** Puts it where its hash finds it, whether it is there already or not. Durable when the promise resolves. */
  keep(): Promise<void>;
  /** Throws away what was not kept. */
  discard(): Promise<void>;
}

/** Content by its SHA-256 (hex). A stored blob never changes; it appears whole or not at all. */
export interface BlobStore {
  /** Takes content and hashes it. What the stream throws is thrown on; nothing of it is left then. */
  receive(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<IncomingBlob>;
  /** @throws MissingBlobError, and DamagedBlobError when it is not what was put there */
  get(hash: string): Promise<Buffer>;
  /** The same piece by piece, for content that may be large. DamagedBlobError comes after the last piece. */
  read(hash: string): AsyncIterable<Uint8Array>;
  has(hash: string): Promise<boolean>;
  /** It is no error when there is no such blob. */
  remove(hash: string): Promise<void>;
}

/** A text that a place of blobs carries, by which processes know that they have the same one. */
export interface PlaceMark {
  /** Undefined where there is none. */
  read(): Promise<string | undefined>;
  /** Durable when the promise resolves. */
  write(mark: string): Promise<void>;
}

/** There is no such blob. */
export class MissingBlobError extends Error {
  override readonly name = 'MissingBlobError';
}

/** What is stored is not what was put there; the message names the place. */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError';

  constructor(place: string) {
    super(`${place} is damaged: its content does not have the SHA-256 of its name.`);
  }
}

/** Passes pieces on. @throws DamagedBlobError after the last one when they do not have that SHA-256 */
export async function* verified(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { hash, place }: { hash: string; place: string },
): AsyncGenerator<Uint8Array> {
  const hasher = createHash('sha256');
  for await (const piece of pieces) {
    hasher.update(piece);
    yield piece;
  }
  if (hasher.digest('hex') !== hash) throw new DamagedBlobError(place);
}

/** @throws Error for anything but 64 hex digits: no other text becomes part of a path or key */
export function checkedHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('A blob is named by 64 hex digits.');
  return hash;
}
