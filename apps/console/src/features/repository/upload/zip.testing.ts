import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive for a test, and what may be wrong with it. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly stored?: true;
  /** Mode of Unix; without one the archive is of another system. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  /** What the list says in place of the true size, and of the true checksum. */
  readonly size?: number;
  readonly checksum?: number;
}

/** An archive as a Blob with a name, as a browser gives a chosen file. */
export function zipOf(entries: readonly ZipEntry[], more: { name?: string; comment?: string } = {}): File {
  const pieces: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, content = '', stored, mode, flags = 0, method, size, checksum } of entries) {
    const bytes = Buffer.from(content);
    const path = Buffer.from(name);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(flags, 2);
    head.writeUInt16LE(method ?? (stored ? 0 : 8), 4);
    head.writeUInt32LE(checksum ?? crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(size ?? bytes.length, 18);
    head.writeUInt16LE(path.length, 22);
    pieces.push(Buffer.from('PK\x03\x04'), head, path, packed);
    const rest = Buffer.alloc(14);
    if (mode !== undefined) rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    list.push(Buffer.from('PK\x01\x02'), Buffer.from([20, mode === undefined ? 0 : 3]), head, rest, path);
    at += 30 + path.length + packed.length;
  }
  const index = Buffer.concat(list);
  const comment = Buffer.from(more.comment ?? '');
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return new File([Buffer.concat([...pieces, index, end, comment])], more.name ?? 'my site.zip');
}
