import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPlain } from '../data-dir/open-plain.ts';

// Objects that are in no pack go into one file, one after the other: a line with the name and the bytes of an object, then its bytes as
// they lie on the disk. They are few: a push comes as a pack, and stays one.

const HEAD = /^([0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})) (\d{1,15})\n/;
/** Bytes that hold any line of that kind. */
const HEAD_BYTES = 128;
const PIECE = 256 * 1024;

/** What tells one set of loose objects from another. */
export function namesDigest(names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex');
}

/**
 * Writes objects of a repository into one new file.
 * @throws Error of the disk, ENOENT for an object that git has packed meanwhile
 */
export async function gatherLoose(
  gitDir: string,
  names: readonly string[],
  target: string,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using file = await open(target, 'wx', 0o600);
  const write = async (piece: Uint8Array): Promise<void> => {
    hash.update(piece);
    bytes += piece.length;
    await file.writeFile(piece);
  };
  for (const name of names) {
    await using object = await openPlain(join(gitDir, 'objects', name));
    const { size } = await object.stat();
    await write(Buffer.from(`${name} ${size}\n`));
    for await (const piece of piecesOf(object, { at: 0, size })) await write(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Puts the objects of such a file into a repository that is being made.
 * @throws Error for a file that is none, and of the disk
 */
export async function spreadLoose(source: string, gitDir: string): Promise<void> {
  await using file = await openPlain(source);
  const { size: end } = await file.stat();
  for (let at = 0; at < end; ) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: at });
    const [head, name, digits] = HEAD.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    if (head === undefined || name === undefined)
      throw new Error('The objects outside packs cannot be read.');
    at += head.length;
    const size = Number(digits);
    const target = join(gitDir, 'objects', name);
    await mkdir(dirname(target), { recursive: true });
    await using object = await open(target, 'wx', 0o444);
    for await (const piece of piecesOf(file, { at, size })) await object.writeFile(piece);
    await object.sync();
    at += size;
  }
}

async function* piecesOf(
  file: FileHandle,
  { at, size }: { at: number; size: number },
): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - done));
    const { bytesRead } = await file.read(piece, 0, piece.length, at + done);
    if (bytesRead === 0) throw new Error('A file is shorter than it was said to be.');
    done += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
