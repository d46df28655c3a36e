import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { RecentMap } from '../../fairness/recent-map.ts';
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

/** Of the last files; an entry has some hundred bytes. */
const KNOWN_HASHES = 40_000;

type PackedEncoder = Exclude<Encoder, 'identity'>;
const PACKED: readonly PackedEncoder[] = ['gzip', 'br'];

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
  readonly encodings?: Readonly<Partial<Record<PackedEncoder, Uint8Array>>>;
  /** The encodings to make. Unless `identity` is among them, each is sent even if it is no smaller. */
  readonly encoders?: readonly Encoder[];
  readonly headers?: readonly Header[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly enableAliasing?: boolean;
  readonly allowRawAccess?: boolean;
}

/** A body in one encoding. */
export interface EncodedContent {
  readonly encoding: string;
  /** Hex. */
  readonly sha256: string;
  /** Makes it again where only its hash was remembered. */
  bytes(): Promise<Uint8Array>;
}

/** The hashes of packed bodies by what they are made of; null for one that is not worth its while. */
const knownHashes = new RecentMap<string | null>(KNOWN_HASHES);

/**
 * The bodies a file is served with: as it is, and in its encodings. What was packed before is not packed again to be
 * compared with what the canister has.
 */
export async function encodingsOf(file: AssetFile): Promise<EncodedContent[]> {
  const plain = await contentOf(file);
  const identity = await sha256Of(plain);
  const contents: EncodedContent[] = [];
  const add = (encoding: string, sha256: string, bytes: EncodedContent['bytes']): void =>
    void contents.push({ encoding, sha256, bytes });
  const { encoders } = file;
  if (encoders === undefined || encoders.includes('identity')) add('identity', identity, async () => plain);
  for (const encoding of encodersOf(file, plain)) {
    const ready = file.encodings?.[encoding];
    if (ready !== undefined) {
      add(encoding, await sha256Of(ready), async () => ready);
      continue;
    }
    // Without the plain body, it is sent even if it is no smaller.
    const most = encoders === undefined || encoders.includes('identity') ? plain.length : Infinity;
    const key = `${identity} ${encoding} ${most === Infinity}`;
    let sha256 = knownHashes.get(key);
    let packed: Uint8Array | undefined;
    if (sha256 === undefined) {
      packed = await pack(encoding, plain);
      sha256 = packed.length < most ? await sha256Of(packed) : null;
      knownHashes.set(key, sha256);
    }
    if (sha256 !== null) add(encoding, sha256, async () => packed ?? pack(encoding, plain));
  }
  return contents;
}

/** The encodings of a file beside the plain body. */
function encodersOf({ encoders, encodings, contentType }: AssetFile, plain: Uint8Array): PackedEncoder[] {
  if (encoders !== undefined) return encoders.filter((encoder) => encoder !== 'identity');
  const pays = plain.length >= WORTH_COMPRESSING && isCompressible(contentType);
  return PACKED.filter((encoder) => pays || encodings?.[encoder] !== undefined);
}

function pack(encoding: PackedEncoder, plain: Uint8Array): Promise<Buffer> {
  if (encoding === 'gzip') return compress(plain, { level: 9 });
  return compressBrotli(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
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
