import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Header } from './asset-interface.ts';
import { isCompressible } from './content-type.ts';

const compress = promisify(gzip);

/** Below this size (bytes) an answer's headers outweigh what gzip saves. */
const WORTH_COMPRESSING = 512;

/** A file to be served under `key`. Its content is at `path` or in `bytes`. */
export interface AssetFile {
  /** The path it is served at, not escaped: `/docs/my file.html`. */
  readonly key: string;
  readonly contentType: string;
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** Ready-made encodings, by content encoding (`gzip`, `br`). Without `gzip`, it is made where it pays. */
  readonly encodings?: Readonly<Record<string, Uint8Array>>;
  readonly headers?: readonly Header[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly enableAliasing?: boolean;
  readonly allowRawAccess?: boolean;
}

export interface EncodedContent {
  readonly encoding: string;
  readonly bytes: Uint8Array;
  /** Hex. */
  readonly sha256: string;
}

/** The bodies a file is served with: as it is, and in its encodings. */
export async function encodingsOf(file: AssetFile): Promise<EncodedContent[]> {
  const plain = await contentOf(file);
  const bodies = new Map([['identity', plain], ...Object.entries(file.encodings ?? {})]);
  if (!bodies.has('gzip') && plain.length >= WORTH_COMPRESSING && isCompressible(file.contentType)) {
    const gzipped = await compress(plain, { level: 9 });
    if (gzipped.length < plain.length) bodies.set('gzip', gzipped);
  }
  return [...bodies].map(([encoding, bytes]) => ({
    encoding,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
}

async function contentOf(file: AssetFile): Promise<Uint8Array> {
  if (file.bytes !== undefined) return file.bytes;
  if (file.path !== undefined) return readFile(file.path);
  throw new TypeError(`${file.key} has neither a path nor bytes`);
}
