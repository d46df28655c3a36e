import { FairSemaphore } from '../fairness/fair-semaphore.ts';
import { drawnSizes } from './drawn-sizes.ts';
import { PictureError } from './picture-error.ts';
import { type PictureFormat, type PictureSize, pictureFormat, pictureSize } from './picture-size.ts';
import { type Area, type RedrawRequest, runRedraw } from './run-redraw.ts';

/** Bounds of one picture; its pixels unpacked are at most 64 MB. */
const MAX_PIXELS = 16_000_000;
/** Pictures drawn at a time: each may take some 300 MB while it is unpacked. */
const turns = new FairSemaphore({ most: 2, perTenant: 1, waitingPerTenant: 4, what: 'pictures' });

/** Somebody's picture. */
export interface Original {
  readonly bytes: Buffer;
  /** Whose turn it takes. */
  readonly tenant: string;
}

/**
 * Decodes a PNG, JPEG, GIF or WebP picture and encodes its middle as a square PNG, so that nothing but pixels of the
 * original is left. Done by a process with bounds, with a library in WebAssembly.
 * @param edge width and height of the result in pixels
 * @throws PictureError when it is no such picture, too large, or cannot be decoded in the bounds; AppError rate_limited
 */
export async function redrawPicture({ bytes, tenant }: Original, edge: number): Promise<Buffer> {
  const size = checkedSize(bytes);
  const side = Math.min(size.width, size.height);
  const square = { width: edge, height: edge };
  return redraw(
    { bytes, tenant },
    {
      cut: middle(size, { width: side, height: side }),
      place: wholeOf(square),
      size: square,
      format: 'png',
    },
  );
}

/**
 * The same for a PNG, JPEG or GIF picture that is wanted as a whole: it fills the square in its longer direction, and what is
 * left beside it is transparent. Of an animation the first picture stays.
 */
export async function redrawWhole({ bytes, tenant }: Original, edge: number): Promise<Buffer> {
  const { width, height } = checkedSize(bytes, ['PNG', 'JPEG', 'GIF']);
  const longer = Math.max(width, height);
  const scaled = (side: number): number => Math.max(1, Math.round((side * edge) / longer));
  const place = middle({ width: edge, height: edge }, { width: scaled(width), height: scaled(height) });
  return redraw(
    { bytes, tenant },
    {
      cut: wholeOf({ width, height }),
      place,
      size: { width: edge, height: edge },
      format: 'png',
    },
  );
}

/** Decodes a PNG picture and encodes it as a JPEG of this size. */
export async function redrawAs({ bytes, tenant }: Original, size: PictureSize): Promise<Buffer> {
  const cut = wholeOf(checkedSize(bytes, ['PNG']));
  return redraw({ bytes, tenant }, { cut, place: wholeOf(size), size, format: 'jpeg' });
}

function checkedSize(bytes: Buffer, formats?: readonly PictureFormat[]): PictureSize {
  const format = pictureFormat(bytes);
  const size = pictureSize(bytes);
  if (format === undefined || size === undefined || (formats !== undefined && !formats.includes(format))) {
    throw new PictureError('It is not a picture in a format that is accepted.');
  }
  for (const { width, height } of [size, ...sizesOf(bytes)]) {
    if (width === 0 || height === 0 || width * height > MAX_PIXELS)
      throw new PictureError(`Its size of ${width} by ${height} pixels is out of bounds.`);
  }
  return size;
}

/** Of its frames as well: a decoder makes pixels of these, whatever the picture says first. */
function sizesOf(bytes: Buffer): PictureSize[] {
  try {
    return drawnSizes(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new PictureError('The picture is damaged or cut short.', { cause: error });
  }
}

function wholeOf(size: PictureSize): Area {
  return { left: 0, top: 0, ...size };
}

/** The area of the inner size in the middle of the outer one. */
function middle(outer: PictureSize, inner: PictureSize): Area {
  return {
    left: Math.floor((outer.width - inner.width) / 2),
    top: Math.floor((outer.height - inner.height) / 2),
    ...inner,
  };
}

function redraw({ bytes, tenant }: Original, request: RedrawRequest): Promise<Buffer> {
  return turns.take(tenant, () => runRedraw(request, bytes));
}
