export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export type PictureFormat = 'PNG' | 'GIF' | 'WebP' | 'JPEG';

/** The format of a picture by its signature; undefined for anything else, lines drawn in XML included. */
export function pictureFormat(bytes: Buffer): PictureFormat | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'GIF';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'WebP';
  return start.startsWith('\xff\xd8\xff') ? 'JPEG' : undefined;
}

/** The size of a PNG, JPEG, GIF or WebP picture as its first bytes tell it; undefined for anything else. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (pictureFormat(bytes)) {
    case 'PNG':
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case 'GIF':
      return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case 'WebP':
      return webpSize(bytes);
    case 'JPEG':
      return jpegSize(bytes);
    default:
      return undefined;
  }
}

/** RFC 9649: extended, lossless or lossy. */
function webpSize(bytes: Buffer): PictureSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Markers that begin a frame (ITU-T T.81, table B.1): C0 to CF but C4, C8 and CC. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegSize(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    if (beginsFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}
