import { PhotonImage } from '@silvia-odwyer/photon-node';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../../packages/network/test/expect-linear.ts';
import { withMostPages } from './bound-memory.ts';
import { drawnSizes } from './drawn-sizes.ts';
import { redrawPicture, redrawWhole } from './redraw-picture.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
const painted = (width: number, height: number): PhotonImage =>
  new PhotonImage(new Uint8Array(width * height * 4).fill(200), width, height);
const JPEG = Buffer.from(painted(64, 48).get_bytes_jpeg(90));
const PNG = Buffer.from(painted(20, 10).get_bytes());
const WEBP = Buffer.from(painted(20, 10).get_bytes_webp());
const HUGE = 60_000;

function gifFrame(width: number, height: number): Buffer {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0x4c, 0]);
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return frame;
}
/** A GIF with something behind its colours. */
const gif = (...parts: Buffer[]): Buffer =>
  Buffer.concat([GIF.subarray(0, 19), ...parts, Buffer.from([0x3b])]);
const NOTE = Buffer.from([0x21, 0xfe, 3, 0x2c, 0xff, 0xff, 0]);

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}
function frameOf(width: number, height: number): Buffer {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return segment(0xc2, content);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, text(type), content, Buffer.alloc(4)]);
}
function fourBytes(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
const afterHeader = (chunk: Buffer): Buffer => Buffer.concat([PNG.subarray(0, 33), chunk, PNG.subarray(33)]);

function riff(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([text(type), length, content, Buffer.alloc(content.length % 2)]);
}
const threeBytes = (value: number): number[] => [value & 255, (value >> 8) & 255, value >> 16];
const canvas = (edge: number): Buffer =>
  riff('VP8X', Buffer.from([2, 0, 0, 0, ...threeBytes(edge - 1), ...threeBytes(edge - 1)]));
const webp = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([text('RIFF'), Buffer.alloc(4), text('WEBP'), ...chunks]);
const anmf = (edge: number, ...inner: Buffer[]): Buffer =>
  riff(
    'ANMF',
    Buffer.concat([
      Buffer.from([0, 0, 0, 0, 0, 0, ...threeBytes(edge - 1), ...threeBytes(edge - 1), 0, 0, 0, 0]),
      ...inner,
    ]),
  );
function lossless(edge: number): Buffer {
  const content = Buffer.alloc(20);
  content[0] = 0x2f;
  content.writeUInt32LE((edge - 1) | ((edge - 1) << 14), 1);
  return riff('VP8L', content);
}
function lossy(edge: number): Buffer {
  const content = Buffer.alloc(20);
  content.writeUInt16LE(edge, 6);
  content.writeUInt16LE(edge, 8);
  return riff('VP8 ', content);
}

/** Pictures that say a small size first, and have a large one somewhere. */
const hidden: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a GIF whose one frame is larger than its screen', gif(gifFrame(HUGE, HUGE))],
  ['a GIF whose second frame is', gif(gifFrame(1, 1), gifFrame(HUGE, HUGE))],
  ['a GIF whose frame is behind a comment', gif(NOTE, gifFrame(HUGE, HUGE))],
  ['a GIF whose frame is wide', gif(gifFrame(65_535, 300))],
  ['a GIF whose frame has no pixels', gif(gifFrame(0, 9))],
  ['an animated PNG with a large frame', afterHeader(pngChunk('fcTL', fourBytes(0, HUGE, HUGE, 0, 0, 0)))],
  ['a PNG with a second header', afterHeader(pngChunk('IHDR', fourBytes(HUGE, HUGE, 0)))],
  ['a WebP whose picture is larger than its canvas', webp(canvas(20), lossless(16_000))],
  ['a WebP whose lossy picture is', webp(canvas(20), lossy(16_000))],
  ['a WebP whose first picture is small', webp(canvas(20), lossy(20), lossy(16_000))],
  ['a WebP with a large frame', webp(canvas(20), anmf(100_000))],
  ['a WebP with a large picture in a small frame', webp(canvas(20), anmf(20, lossless(16_000)))],
  ['a WebP with a large canvas behind its picture', webp(lossy(20), canvas(100_000))],
  [
    'a JPEG with a second frame',
    Buffer.concat([JPEG.subarray(0, 2), frameOf(64, 48), frameOf(HUGE, HUGE), JPEG.subarray(2)]),
  ],
  [
    'a JPEG with a frame behind its scan',
    Buffer.concat([JPEG.subarray(0, -2), frameOf(HUGE, HUGE), JPEG.subarray(-2)]),
  ],
  ['a JPEG with another picture behind it', Buffer.concat([JPEG, JPEG.subarray(0, 2), frameOf(HUGE, HUGE)])],
  [
    'a JPEG with filling bytes before its frame',
    Buffer.concat([JPEG.subarray(0, 2), Buffer.from([0xff, 0xff]), frameOf(HUGE, HUGE)]),
  ],
  [
    'a JPEG with a segment of no length before it',
    Buffer.concat([
      JPEG.subarray(0, 2),
      Buffer.from([0xff, 0xe0, 0, 0]),
      frameOf(HUGE, HUGE),
      JPEG.subarray(2),
    ]),
  ],
];

test.each(hidden)('[NAV-16] %s is refused before any of it is drawn', async (_what, bytes) => {
  await expect(
    redrawPicture({ bytes: Buffer.concat([bytes, Buffer.alloc(30)]), tenant: 'ada' }, 128),
  ).rejects.toThrow(/out of bounds|format that is accepted/);
});

test.each([
  ['GIF', gif(NOTE, gifFrame(1, 1), NOTE, gifFrame(1, 1)), [1, 1, 1]],
  ['PNG', PNG, [20]],
  ['WebP', WEBP, [20]],
  ['JPEG', JPEG, [64]],
  [
    'JPEG with a preview in its head',
    Buffer.concat([
      JPEG.subarray(0, 2),
      segment(0xe1, Buffer.concat([text('Exif'), frameOf(HUGE, HUGE)])),
      JPEG.subarray(2),
    ]),
    [64],
  ],
])('[NAV-16] a %s has the sizes that are drawn, and no others', async (_what, bytes, widths) => {
  expect(drawnSizes(bytes).map(({ width }) => width)).toEqual(widths);
  await redrawPicture({ bytes, tenant: 'ada' }, 32);
});

test('the sizes of whatever bytes are read in time, and no error but that of their range', () => {
  let seed = 11;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
  const starts = [PNG, JPEG, webp(canvas(20), anmf(20, lossless(20))), gif(NOTE, gifFrame(1, 1))];
  for (let round = 0; round < 4000; round += 1) {
    const bytes = Buffer.from(starts[round % starts.length] ?? GIF);
    for (let change = 0; change < 12; change += 1) bytes[next() % bytes.length] = next() % 256;
    try {
      drawnSizes(bytes.subarray(0, next() % (bytes.length + 1)));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});

const MIB = 1024 * 1024;
const filled = (part: Buffer, size: number): Buffer => Buffer.alloc(size, part);
const parts: readonly (readonly [what: string, input: (size: number) => Buffer])[] = [
  ['frames of a GIF', (size) => gif(filled(gifFrame(1, 1), size))],
  ['empty pieces of a GIF', (size) => gif(filled(Buffer.from([0x21, 0, 1, 0]), size))],
  [
    'chunks of a PNG',
    (size) => Buffer.concat([PNG.subarray(0, 33), filled(pngChunk('tEXt', Buffer.alloc(0)), size)]),
  ],
  ['chunks of a WebP', (size) => webp(filled(riff('EXIF', Buffer.alloc(0)), size))],
  ['frames of a WebP', (size) => webp(filled(anmf(20), size))],
  [
    'markers of a JPEG',
    (size) => Buffer.concat([JPEG.subarray(0, 2), filled(Buffer.from([0xff, 0xff]), size)]),
  ],
  ['bytes of a scan', (size) => Buffer.concat([JPEG.subarray(0, 2), filled(Buffer.from([0xff, 0]), size)])],
  ['frames of a JPEG', (size) => Buffer.concat([JPEG.subarray(0, 2), filled(frameOf(8, 8), size)])],
];

test.each(parts)('twice the %s take twice the time at most', async (_what, input) => {
  await expectLinear({ input, read: drawnSizes, cap: 5 * MIB }, 400);
});

test('a picture of the most pixels is drawn within the memory of the decoder', async () => {
  const drawn = await redrawWhole(
    { bytes: Buffer.from(painted(4000, 4000).get_bytes()), tenant: 'ada' },
    256,
  );
  expect(drawn.subarray(1, 4).toString()).toBe('PNG');
}, 120_000);

test('a module whose memory is bounded gets no more', () => {
  // (module (memory (export "m") 1))
  const module = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 0x6d, 2, 0]);
  const { m } = new WebAssembly.Instance(new WebAssembly.Module(withMostPages(module, 300))).exports;
  if (!(m instanceof WebAssembly.Memory)) throw new Error('no memory');
  m.grow(299);
  expect(() => m.grow(1)).toThrow(RangeError);
  expect(() => withMostPages(module.subarray(0, 8), 300)).toThrow(TypeError);
});
