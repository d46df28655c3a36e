import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Numbers of the types of objects in a pack. */
const TYPES = { commit: 1, tree: 2, blob: 3, 'ref-delta': 7 } as const;

interface PackedObject {
  readonly id: string;
  readonly packed: Buffer;
}

/** Bits of a number, the lowest first, seven to a byte; the highest bit says that more follows. */
function variable(value: number): Buffer {
  const bytes = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 128))
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
  return Buffer.from(bytes);
}

function header(type: keyof typeof TYPES, size: number): Buffer {
  const first = (TYPES[type] << 4) | (size % 16);
  return size < 16
    ? Buffer.from([first])
    : Buffer.concat([Buffer.from([first | 128]), variable(Math.floor(size / 16))]);
}

function idOf(type: string, size: number, parts: Iterable<Buffer>): string {
  const hash = createHash('sha1').update(`${type} ${size}\0`);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

function whole(type: 'commit' | 'tree' | 'blob', content: Buffer): PackedObject {
  const packed = Buffer.concat([header(type, content.length), deflateSync(content)]);
  return { id: idOf(type, content.length, [content]), packed };
}

/** The base this many times over, as a difference of seven bytes for each. The base has less than 16 MiB. */
function repeated(base: PackedObject, content: Buffer, times: number): PackedObject {
  const copy = Buffer.from([
    0b1111_0000,
    content.length & 255,
    (content.length >> 8) & 255,
    content.length >> 16,
  ]);
  const size = content.length * times;
  const delta = Buffer.concat([
    variable(content.length),
    variable(size),
    ...Array<Buffer>(times).fill(Buffer.from([copy[0] ?? 0, ...copy.subarray(1)])),
  ]);
  const packed = Buffer.concat([
    header('ref-delta', delta.length),
    Buffer.from(base.id, 'hex'),
    deflateSync(delta),
  ]);
  return { id: idOf('blob', size, Array<Buffer>(times).fill(content)), packed };
}

/** A pack of one commit with these files, and what a push of it to `main` sends. */
function pushOf(files: readonly PackedObject[]): Buffer {
  const entries = files.map(({ id }, place) =>
    Buffer.concat([Buffer.from(`100644 file-${place}\0`), Buffer.from(id, 'hex')]),
  );
  const tree = whole('tree', Buffer.concat(entries));
  const who = 'Eve <eve@example.org> 1700000000 +0000';
  const commit = whole(
    'commit',
    Buffer.from(`tree ${tree.id}\nauthor ${who}\ncommitter ${who}\n\nLarge files\n`),
  );
  const objects = [commit, tree, ...files];
  const count = Buffer.alloc(4);
  count.writeUInt32BE(objects.length);
  const pack = Buffer.concat([
    Buffer.from('PACK\0\0\0\u0002', 'latin1'),
    count,
    ...objects.map((object) => object.packed),
  ]);
  const line = `${'0'.repeat(40)} ${commit.id} refs/heads/main\0 report-status\n`;
  const length = (line.length + 4).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(`${length}${line}0000`), pack, createHash('sha1').update(pack).digest()]);
}

/** The body of a push of a file of this many zeros, which are few bytes in a pack. */
export function pushOfZeros(bytes: number): Buffer {
  return pushOf([whole('blob', Buffer.alloc(bytes))]);
}

/** The body of a push of a file of one MiB, and of one that is it this many times over, as a difference to the first. */
export function pushOfRepeats(times: number): Buffer {
  const content = Buffer.alloc(1024 ** 2, 'a line of text\n');
  const base = whole('blob', content);
  return pushOf([base, repeated(base, content, times)]);
}
