// Draws the picture on standard input as its argument says, a request in JSON, and writes it to standard output.
import type { PhotonImage } from '@silvia-odwyer/photon-node';
import { boundMemory } from './bound-memory.ts';
import type { PictureSize } from './picture-size.ts';
import type { Area, RedrawRequest } from './run-redraw.ts';

const BYTES_PER_PIXEL = 4;
/** Of a JPEG, 1 to 100: text stays sharp, and a page takes some 40 KB. */
const QUALITY = 85;

/** Of 64 KiB: 512 MB. A picture of the most pixels takes some 300 MB. */
const MOST_PAGES = 8192;

boundMemory(MOST_PAGES);
// Not before its memory is bounded.
const photon = await import('@silvia-odwyer/photon-node');

/** The picture in its place on a transparent ground. */
function onGround(picture: PhotonImage, { left, top, width, height }: Area, size: PictureSize): PhotonImage {
  if (width === size.width && height === size.height) return picture;
  const source = picture.get_raw_pixels();
  const pixels = new Uint8Array(size.width * size.height * BYTES_PER_PIXEL);
  const row = width * BYTES_PER_PIXEL;
  for (let line = 0; line < height; line += 1) {
    const to = ((top + line) * size.width + left) * BYTES_PER_PIXEL;
    pixels.set(source.subarray(line * row, (line + 1) * row), to);
  }
  return new photon.PhotonImage(pixels, size.width, size.height);
}

function draw({ cut, place, size, format }: RedrawRequest, bytes: Uint8Array): Uint8Array {
  const picture = photon.PhotonImage.new_from_byteslice(bytes);
  const part = photon.crop(picture, cut.left, cut.top, cut.left + cut.width, cut.top + cut.height);
  picture.free();
  const drawn = photon.resize(part, place.width, place.height, photon.SamplingFilter.Lanczos3);
  const result = onGround(drawn, place, size);
  return format === 'png' ? result.get_bytes() : result.get_bytes_jpeg(QUALITY);
}

const original = Buffer.concat(await Array.fromAsync(process.stdin as AsyncIterable<Buffer>));
process.stdout.write(draw(JSON.parse(process.argv[2] ?? '') as RedrawRequest, original));
