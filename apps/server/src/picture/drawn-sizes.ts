import { type PictureFormat, type PictureSize, pictureFormat } from './picture-size.ts';

/** Parts that are looked at; a picture of people has some hundred, an animation some thousand. */
const MOST_PARTS = 50_000;

type Sizes = Generator<PictureSize, void, void>;

/**
 * Every size at which some decoder makes pixels of a picture: that of its screen or canvas and those of all its frames and
 * scans. Takes time in proportion to the bytes.
 * @throws RangeError for a picture of too many parts, or one that ends in the middle of a size
 */
export function drawnSizes(bytes: Buffer): PictureSize[] {
  const format = pictureFormat(bytes);
  if (format === undefined) return [];
  const sizes: PictureSize[] = [];
  for (const size of walkers[format](bytes)) {
    sizes.push(size);
    if (sizes.length > MOST_PARTS) throw new RangeError('The picture has too many parts.');
  }
  return sizes;
}

const walkers: Readonly<Record<PictureFormat, (bytes: Buffer) => Sizes>> = {
  PNG: pngSizes,
  GIF: gifSizes,
  WebP: webpSizes,
  JPEG: jpegSizes,
};

/** PNG 3rd edition: the header, and the frames of an animation (fcTL). */
function* pngSizes(bytes: Buffer): Sizes {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const size = type === 'IHDR' ? at + 8 : type === 'fcTL' ? at + 12 : undefined;
    if (size !== undefined) yield { width: bytes.readUInt32BE(size), height: bytes.readUInt32BE(size + 4) };
  }
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** GIF89a: the screen, and each image, which may be larger. */
function* gifSizes(bytes: Buffer): Sizes {
  yield { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const colours = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + colours(bytes.readUInt8(10));
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === IMAGE) {
      yield { width: bytes.readUInt16LE(at + 5), height: bytes.readUInt16LE(at + 7) };
      at += 11 + colours(bytes.readUInt8(at + 9));
    } else if (kind === EXTENSION) at += 2;
    else return;
    for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
      at += 1 + length;
      if (length === 0) break;
    }
  }
}

/** Bytes of an animation's frame before its own chunks. */
const FRAME_HEAD = 16;

/** RFC 9649: the canvas, and the pictures on it, those of an animation in frames. */
function* webpSizes(bytes: Buffer, from = 12, to = bytes.length, isFrame = false): Sizes {
  for (let at = from; at + 8 <= to; ) {
    const length = bytes.readUInt32LE(at + 4);
    const [type, content] = [bytes.toString('latin1', at, at + 4), at + 8];
    const size = webpChunkSize(bytes, type, content);
    if (size !== undefined) yield size;
    const end = content + length;
    if (type === 'ANMF' && !isFrame) yield* webpSizes(bytes, content + FRAME_HEAD, Math.min(end, to), true);
    at = end + (length % 2);
  }
}

function webpChunkSize(bytes: Buffer, type: string, at: number): PictureSize | undefined {
  switch (type) {
    case 'VP8X':
      return { width: bytes.readUIntLE(at + 4, 3) + 1, height: bytes.readUIntLE(at + 7, 3) + 1 };
    case 'ANMF':
      return { width: bytes.readUIntLE(at + 6, 3) + 1, height: bytes.readUIntLE(at + 9, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(at + 1);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
    default:
      return undefined;
  }
}

const MARK = 0xff;
/** Markers without a length (ITU-T T.81, table B.1): TEM, restarts, start and end of a picture. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
/** Markers that begin a frame: C0 to CF but C4, C8 and CC. */
const beginsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** ITU-T T.81: every frame, also behind the first scan, and of pictures behind the first one. */
function* jpegSizes(bytes: Buffer): Sizes {
  for (let at = bytes.indexOf(MARK, 2); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(MARK, at)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === MARK) at += 1;
    // Zero stands behind a byte of a scan that is no marker.
    else if (marker === 0 || isBare(marker)) at += 2;
    else {
      if (beginsFrame(marker))
        yield { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
      at += 2 + Math.max(2, at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 2);
    }
  }
}
