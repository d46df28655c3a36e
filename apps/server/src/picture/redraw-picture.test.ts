import { PhotonImage } from '@silvia-odwyer/photon-node';
import { expect, test } from 'vitest';
import { pictureSize } from './picture-size.ts';
import { type Original, redrawPicture, redrawWhole } from './redraw-picture.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');

function painted(width: number, height: number): PhotonImage {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 4) pixels[at] = at % 251;
  return new PhotonImage(pixels, width, height);
}
const png = (width: number, height: number) => Buffer.from(painted(width, height).get_bytes());
const jpeg = (width: number, height: number) => Buffer.from(painted(width, height).get_bytes_jpeg(80));
const webp = (width: number, height: number) => Buffer.from(painted(width, height).get_bytes_webp());

const original = (bytes: Buffer): Original => ({ bytes, tenant: 'ada' });

/** A PNG header that claims a size. */
function claiming(width: number, height: number): Buffer {
  const picture = png(20, 20);
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

test.each([
  ['PNG', png(300, 200), 300, 200],
  ['JPEG', jpeg(120, 240), 120, 240],
  ['WebP without loss', webp(64, 48), 64, 48],
  ['WebP', WEBP, 1, 1],
  ['GIF', GIF, 1, 1],
])('[NAV-16] a %s picture becomes a square PNG of the wanted size', async (_kind, bytes, width, height) => {
  expect(pictureSize(bytes)).toEqual({ width, height });
  const drawn = await redrawPicture(original(bytes), 128);
  expect(drawn.subarray(1, 4).toString()).toBe('PNG');
  expect(pictureSize(drawn)).toEqual({ width: 128, height: 128 });
});

test('[NAV-16] nothing but pixels of the original is left', async () => {
  const script = '<script>alert(1)</script>';
  const drawn = await redrawPicture(original(Buffer.concat([png(40, 40), Buffer.from(script)])), 128);
  expect(drawn.includes(script)).toBe(false);
});

test.each([
  ['no bytes', Buffer.alloc(0)],
  ['a page', Buffer.from(`<!doctype html>${'x'.repeat(100)}`)],
  ['a drawing of lines', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(100)}</svg>`)],
  ['a bomb of 65,535 by 65,535 pixels', claiming(65_535, 65_535)],
  ['a picture without height', claiming(20, 0)],
  ['a header alone', png(20, 20).subarray(0, 40)],
  [
    'a damaged picture',
    Buffer.from(
      jpeg(50, 50)
        .map((byte, at) => (at > 200 ? byte ^ 0x5a : byte))
        .subarray(0, 260),
    ),
  ],
  ['a size that is not that of the pixels', claiming(4000, 4000)],
])('[NAV-16] %s is refused', async (_what, bytes) => {
  await expect(redrawPicture(original(Buffer.from(bytes)), 128)).rejects.toThrow();
});

test.each([
  ['wide', 120, 30, { left: 0, top: 96, width: 256, height: 64 }],
  ['high', 10, 40, { left: 96, top: 0, width: 64, height: 256 }],
  ['thin', 1, 60_000, { left: 127, top: 0, width: 1, height: 256 }],
])(
  '[API-21] a %s picture is drawn whole, in the middle of a transparent square',
  async (_what, width, height, area) => {
    const drawn = PhotonImage.new_from_byteslice(await redrawWhole(original(png(width, height)), 256));
    expect([drawn.get_width(), drawn.get_height()]).toEqual([256, 256]);
    const opaque = drawn.get_raw_pixels().filter((_value, at) => at % 4 === 3);
    const inside = Array.from(
      opaque,
      (_value, at) =>
        at % 256 >= area.left &&
        at % 256 < area.left + area.width &&
        Math.floor(at / 256) >= area.top &&
        Math.floor(at / 256) < area.top + area.height,
    );
    expect(Array.from(opaque, (alpha) => alpha === 255)).toEqual(inside);
  },
);

test('[API-21] a WebP picture is not drawn whole', async () => {
  await expect(redrawWhole(original(WEBP), 256)).rejects.toThrow(
    'not a picture in a format that is accepted',
  );
});

test('the size of whatever bytes is read without an error', () => {
  let seed = 7;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
  const starts = [png(9, 9), jpeg(9, 9), WEBP, GIF];
  for (let round = 0; round < 4000; round += 1) {
    const bytes = Buffer.from(starts[round % starts.length] ?? GIF);
    for (let change = 0; change < 12; change += 1) bytes[next() % bytes.length] = next() % 256;
    expect(() => pictureSize(bytes.subarray(0, next() % (bytes.length + 1)))).not.toThrow();
  }
});

test('what a picture of many pixels takes, this process never has', async () => {
  const large = original(png(4000, 4000));
  const before = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss() - before);
  }, 5);
  await redrawWhole(large, 256);
  clearInterval(watch);
  expect(most).toBeLessThan(100 * 1024 ** 2);
});
