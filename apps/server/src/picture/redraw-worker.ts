import { crop, PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { serve } from '../thread/serve-thread.ts';
import type { Area, RedrawRequest } from './redraw-picture.ts';

const BYTES_PER_PIXEL = 4;

/** The picture in its place on a transparent square. */
function onSquare(picture: PhotonImage, { left, top, width, height }: Area, edge: number): PhotonImage {
  if (width === edge && height === edge) return picture;
  const source = picture.get_raw_pixels();
  const pixels = new Uint8Array(edge * edge * BYTES_PER_PIXEL);
  const row = width * BYTES_PER_PIXEL;
  for (let line = 0; line < height; line += 1) {
    const to = ((top + line) * edge + left) * BYTES_PER_PIXEL;
    pixels.set(source.subarray(line * row, (line + 1) * row), to);
  }
  return new PhotonImage(pixels, edge, edge);
}

await serve<RedrawRequest>(({ bytes, cut, place, edge }) => {
  const picture = PhotonImage.new_from_byteslice(bytes);
  const part = crop(picture, cut.left, cut.top, cut.left + cut.width, cut.top + cut.height);
  picture.free();
  const drawn = resize(part, place.width, place.height, SamplingFilter.Lanczos3);
  return onSquare(drawn, place, edge).get_bytes();
}, []);
