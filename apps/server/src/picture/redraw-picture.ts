import { runInThread } from '../thread/run-in-thread.ts';
import { pictureSize } from './picture-size.ts';

/** Bounds of one picture; its pixels unpacked are at most 64 MB. */
const MAX_PIXELS = 16_000_000;
const TIMEOUT_MS = 10_000;
const HEAP_MB = 64;

/** A picture that cannot be drawn again. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

export interface RedrawRequest {
  readonly bytes: Uint8Array;
  /** Edges of the square that is cut out of the middle, and of the result; pixels. */
  readonly cut: { readonly left: number; readonly top: number; readonly edge: number };
  readonly edge: number;
}

/**
 * Decodes a PNG, JPEG, GIF or WebP picture and encodes its middle as a square PNG, so that nothing but pixels of the
 * original is left. Done in a thread with bounds, by a library in WebAssembly.
 * @param edge width and height of the result in pixels
 * @throws PictureError when it is no such picture, or too large; ThreadError when it cannot be decoded in the bounds
 */
export async function redrawPicture(bytes: Buffer, edge: number): Promise<Buffer> {
  const size = pictureSize(bytes);
  if (size === undefined) throw new PictureError('It is no PNG, JPEG, GIF or WebP picture.');
  const { width, height } = size;
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) {
    throw new PictureError(`Its size of ${width} by ${height} pixels is out of bounds.`);
  }
  const side = Math.min(width, height);
  const request: RedrawRequest = {
    bytes,
    cut: { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), edge: side },
    edge,
  };
  const drawn = await runInThread<Uint8Array>({
    module: new URL('./redraw-worker.ts', import.meta.url),
    request,
    heapMegabytes: HEAP_MB,
    timeoutMs: TIMEOUT_MS,
  });
  return Buffer.from(drawn);
}
