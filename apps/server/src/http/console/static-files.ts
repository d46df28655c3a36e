import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import mime from 'mime';

/** A file as it is sent. */
export interface StaticFile {
  readonly type: string;
  readonly etag: string;
  /** The content in the best of the codings that the caller takes. */
  body(acceptEncoding: string | undefined): Promise<{ bytes: Buffer; coding: 'br' | 'gzip' | undefined }>;
}

/** What a visitor may read below a folder. */
export interface StaticFiles {
  /** The file at a path of segments joined by '/'; undefined when there is none. Changed files are read again. */
  find(path: string): Promise<StaticFile | undefined>;
}

const COMPRESSED_TYPES = /^(?:text\/|application\/(?:javascript|json|wasm|manifest\+json)|image\/svg\+xml)/;
/** Names that tell the content: what was made of one of them was made of this one. */
const HASHED = /^assets\/.+\.(?:js|css)$/;
/** Below this a compressed body saves no packet. */
const SMALLEST_COMPRESSED_BYTES = 1024;
/** The best ratio that still takes well under a second for a file that the build has not compressed; done once a file. */
const BROTLI_QUALITY = 9;

/**
 * Serves a folder of built files from memory: each is read, edited, hashed and compressed once, when it is first asked
 * for.
 */
export function openStaticFiles(
  folder: string,
  edit: (path: string, bytes: Buffer) => Buffer = (_path, bytes) => bytes,
): StaticFiles {
  const known = new Map<string, { mtimeMs: number; size: number; file: StaticFile }>();
  return {
    async find(path) {
      if (!isPlainPath(path)) return undefined;
      const place = join(folder, path);
      const found = await stat(place).catch(() => undefined);
      if (found === undefined || !found.isFile()) {
        known.delete(place);
        return undefined;
      }
      const { mtimeMs, size } = found;
      const kept = known.get(place);
      if (kept?.mtimeMs === mtimeMs && kept.size === size) return kept.file;
      const compressed = HASHED.test(path) ? await compressedBefore(place) : undefined;
      const file = fileOf(place, edit(path, await readFile(place)), compressed);
      known.set(place, { mtimeMs, size, file });
      return file;
    },
  };
}

/** No segment leaves the folder, names a hidden file, or means something else to a file system. */
function isPlainPath(path: string): boolean {
  return path.length < 1000 && path.split('/').every((segment) => /^[\w@~-][\w@.~-]*$/.test(segment));
}

/** What the build has made of a file by the best compression (`compressed-files.ts` of the console), if it has. */
async function compressedBefore(place: string): Promise<Buffer | undefined> {
  return readFile(`${place}.br`).catch(() => undefined);
}

function fileOf(place: string, bytes: Buffer, compressed: Buffer | undefined): StaticFile {
  const type = mime.getType(extname(place)) ?? 'application/octet-stream';
  const isText = COMPRESSED_TYPES.test(type);
  const coded = new Map<'br' | 'gzip', Promise<Buffer>>();
  if (compressed !== undefined) coded.set('br', Promise.resolve(compressed));
  const code = (coding: 'br' | 'gzip'): Promise<Buffer> => {
    const made = coded.get(coding) ?? compress(bytes, coding);
    coded.set(coding, made);
    return made;
  };
  return {
    type: isText && !type.includes('wasm') ? `${type}; charset=utf-8` : type,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    async body(acceptEncoding) {
      const coding =
        isText && bytes.length >= SMALLEST_COMPRESSED_BYTES ? bestCoding(acceptEncoding ?? '') : undefined;
      return { bytes: coding === undefined ? bytes : await code(coding), coding };
    },
  };
}

function compress(bytes: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  return coding === 'br'
    ? promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
    : promisify(gzip)(bytes, { level: 9 });
}

/** RFC 9110, 12.5.3; a coding with weight 0 is refused. */
function bestCoding(accepted: string): 'br' | 'gzip' | undefined {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
    .map((entry) => entry.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).find((coding) => taken.includes(coding));
}
