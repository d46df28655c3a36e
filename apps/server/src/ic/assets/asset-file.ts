import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import type { Header } from '../replies/listed-asset.ts';
import type { Encoder } from './asset-rules.ts';
import { isCompressible } from './content-type.ts';

const compress = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Bytes that are hashed in some milliseconds. */
const HASHED_AT_ONCE = 4 * 1024 * 1024;

/** Below this size (bytes) an answer's headers outweigh what gzip saves. */
const WORTH_COMPRESSING = 512;

/** 286 kB of text take 18 ms and become 23.1 % (gzip at its best 13 ms and 24.7 %); at 11 they take 505 ms and become 22.1 %. */
const BROTLI_QUALITY = 6;

/** A part of a file, in bytes. */
export interface FilePart {
  readonly at: number;
  readonly length: number;
}

/** A file to be served under `key`. Its content is in `bytes`, is read by `read`, or is a part of the server's file at `path`. */
export interface AssetFile {
  /** The path it is served at, not escaped: `/docs/my file.html`. */
  readonly key: string;
  readonly contentType: string;
  readonly path?: string;
  readonly part?: FilePart;
  readonly read?: () => Promise<Uint8Array>;
  readonly bytes?: Uint8Array;
  /** Ready-made encodings, by content encoding (`gzip`, `br`). What is not there is made where it pays. */
  readonly encodings?: Readonly<Record<string, Uint8Array>>;
  /** The encodings to make. Unless `identity` is among them, each is sent even if it is no smaller. */
  readonly encoders?: readonly Encoder[];
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
  const bodies =
    file.encoders === undefined ? await usualBodies(file, plain) : await chosenBodies(file.encoders, plain);
  const contents: EncodedContent[] = [];
  for (const [encoding, bytes] of bodies) contents.push({ encoding, bytes, sha256: await sha256Of(bytes) });
  return contents;
}

/** Hashes in pieces, so that a large file does not keep the main thread. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
  }
  return hash.digest('hex');
}

async function usualBodies(file: AssetFile, plain: Uint8Array): Promise<Map<string, Uint8Array>> {
  const bodies = new Map([['identity', plain], ...Object.entries(file.encodings ?? {})]);
  if (plain.length < WORTH_COMPRESSING || !isCompressible(file.contentType)) return bodies;
  if (!bodies.has('gzip')) {
    const gzipped = await compress(plain, { level: 9 });
    if (gzipped.length < plain.length) bodies.set('gzip', gzipped);
  }
  if (!bodies.has('br')) {
    const packed = await compressBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
    if (packed.length < (bodies.get('gzip') ?? plain).length) bodies.set('br', packed);
  }
  return bodies;
}

async function chosenBodies(
  encoders: readonly Encoder[],
  plain: Uint8Array,
): Promise<Map<string, Uint8Array>> {
  const hasPlain = encoders.includes('identity');
  const bodies = new Map<string, Uint8Array>(hasPlain ? [['identity', plain]] : []);
  for (const encoder of encoders) {
    if (encoder === 'identity') continue;
    const encoded = encoder === 'gzip' ? await compress(plain, { level: 9 }) : await compressBrotli(plain);
    if (!hasPlain || encoded.length < plain.length) bodies.set(encoder, encoded);
  }
  return bodies;
}

/** @throws AppError invalid_input when it cannot be read */
export async function contentOf(file: AssetFile): Promise<Uint8Array> {
  if (file.bytes !== undefined) return file.bytes;
  const content = file.read?.() ?? (file.path === undefined ? null : partOf(file.path, file.part));
  if (content === null) throw new TypeError(`${file.key} has neither a path nor bytes`);
  return content.catch((error: NodeJS.ErrnoException) => {
    throw new AppError(
      'invalid_input',
      `The file ${file.key} cannot be read (${error.code ?? error.message}).`,
      {
        cause: error,
      },
    );
  });
}

function partOf(path: string, part: FilePart | undefined): Promise<Uint8Array> {
  return part === undefined ? readFile(path) : readPart(path, part);
}

/** Reads a part of a file, or what there is of it. @throws Error of the file system */
export async function readPart(path: string, { at, length }: FilePart): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
