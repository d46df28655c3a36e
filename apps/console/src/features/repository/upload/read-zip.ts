import {
  checkAmount,
  type ChosenFile,
  type ChosenFiles,
  MOST_BYTES,
  placeOf,
  projectOf,
  shortened,
  UnfitFilesError,
} from './chosen-files.ts';

/** Marks and sizes of the parts of an archive (APPNOTE.TXT 6.3.10 of PKWARE, 4.3). */
const END = { mark: 0x06054b50, size: 22, longestComment: 0xffff };
const ENTRY = { mark: 0x02014b50, size: 46 };
const LOCAL = { mark: 0x04034b50, size: 30 };
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** The system 'Unix' of an entry, whose mode is in the upper half of the attributes; kinds of files in it. */
const UNIX = 3;
const KIND = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const MAY_RUN = 0o111;

const broken = (): UnfitFilesError =>
  new UnfitFilesError('This is no zip archive, or a part of it is missing.');

interface Entry {
  readonly path: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly at: number;
  readonly isExecutable: boolean;
}

/** Where the list of entries is. */
function listIn(bytes: DataView): { entries: number; at: number } {
  const first = Math.max(0, bytes.byteLength - END.size - END.longestComment);
  for (let at = bytes.byteLength - END.size; at >= first; at -= 1) {
    const isEnd =
      bytes.getUint32(at, true) === END.mark &&
      at + END.size + bytes.getUint16(at + 20, true) === bytes.byteLength;
    if (isEnd) return { entries: bytes.getUint16(at + 10, true), at: bytes.getUint32(at + 16, true) };
  }
  throw broken();
}

/** @throws UnfitFilesError for links and what else is neither a file nor a folder */
function isExecutable(bytes: DataView, at: number, name: string): boolean {
  if (bytes.getUint8(at + 5) !== UNIX) return false;
  const mode = bytes.getUint32(at + 38, true) >>> 16;
  const kind = mode & KIND;
  if (kind !== 0 && kind !== FILE && kind !== FOLDER)
    throw new UnfitFilesError(`'${shortened(name)}' is a link or a device. Only files can be uploaded.`);
  return (mode & MAY_RUN) !== 0;
}

/** The files that the archive lists, checked; nothing is unpacked yet. */
function entriesIn(bytes: DataView, leftOut: Set<string>): Entry[] {
  const list = listIn(bytes);
  const text = new TextDecoder('utf-8', { fatal: true });
  const found: Entry[] = [];
  let total = 0;
  let { at } = list;
  for (let entry = 0; entry < list.entries; entry += 1) {
    if (at + ENTRY.size > bytes.byteLength || bytes.getUint32(at, true) !== ENTRY.mark) throw broken();
    const nameLength = bytes.getUint16(at + 28, true);
    const length = ENTRY.size + nameLength + bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true);
    if (at + length > bytes.byteLength) throw broken();
    let name: string;
    try {
      name = text.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + ENTRY.size, nameLength));
    } catch {
      throw new UnfitFilesError('The archive has names that are not in UTF-8.');
    }
    const mayRun = isExecutable(bytes, at, name);
    if (!/[/\\]$/.test(name)) {
      const place = placeOf(name);
      if ('path' in place) {
        if ((bytes.getUint16(at + 8, true) & ENCRYPTED) !== 0)
          throw new UnfitFilesError('The archive is encrypted. Unpack it and drop the folder.');
        const size = bytes.getUint32(at + 24, true);
        total += size;
        found.push({
          path: place.path,
          method: bytes.getUint16(at + 10, true),
          checksum: bytes.getUint32(at + 16, true),
          packed: bytes.getUint32(at + 20, true),
          size,
          at: bytes.getUint32(at + 42, true),
          isExecutable: mayRun,
        });
        checkAmount(found.length, total);
      } else if (place.leftOut !== null) leftOut.add(place.leftOut);
    }
    at += length;
  }
  return found;
}

/** Table of the checksum of zip (ISO 3309), by byte. */
const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  return value;
});

function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (CHECKSUMS[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Unpacks no more than the archive has said, so that a few bytes do not become a memory full of them. */
async function inflated(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const bytes = new Uint8Array(size);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (filled + value.length > size) throw broken();
      bytes.set(value, filled);
      filled += value.length;
    }
  } catch {
    throw broken();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (filled !== size) throw broken();
  return bytes;
}

async function contentOf(archive: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const { at, packed, size, method } = entry;
  if (at + LOCAL.size > archive.length || view.getUint32(at, true) !== LOCAL.mark) throw broken();
  const begin = at + LOCAL.size + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (begin + packed > archive.length) throw broken();
  const piece = archive.slice(begin, begin + packed);
  if (method !== STORED && method !== DEFLATED)
    throw new UnfitFilesError(`'${shortened(entry.path)}' is packed by a method that browsers do not know.`);
  const bytes = method === STORED ? piece : await inflated(piece, size);
  if (bytes.length !== size || checksumOf(bytes) !== entry.checksum) throw broken();
  return bytes;
}

/**
 * Reads an archive, all in this tab. Its list is checked before anything is unpacked, and no file becomes larger than the list says.
 * @throws UnfitFilesError for what is no archive, for one that is too large, encrypted or has links, and for paths that lead elsewhere
 */
export async function readZip(archive: Blob & { readonly name: string }): Promise<ChosenFiles> {
  checkAmount(0, archive.size);
  const bytes = new Uint8Array(await archive.arrayBuffer());
  if (bytes.length < END.size || bytes.length > MOST_BYTES) throw broken();
  const leftOut = new Set<string>();
  const files: ChosenFile[] = [];
  for (const entry of entriesIn(new DataView(bytes.buffer), leftOut)) {
    const { path, isExecutable: mayRun } = entry;
    files.push({ path, isExecutable: mayRun, bytes: await contentOf(bytes, entry) });
  }
  return projectOf(archive.name.replace(/\.zip$/i, ''), files, leftOut);
}
