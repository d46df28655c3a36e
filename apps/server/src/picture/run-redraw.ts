import { fileURLToPath } from 'node:url';
import { startProgram } from '../starter/start-program.ts';
import { PictureError } from './picture-error.ts';
import { readingOnly } from './reading-only.ts';
import type { PictureSize } from './picture-size.ts';

/** A part of a picture in pixels. */
export interface Area extends PictureSize {
  readonly left: number;
  readonly top: number;
}

export interface RedrawRequest {
  /** What is taken of the original. */
  readonly cut: Area;
  /** Where it goes in the result; what is around it is transparent. */
  readonly place: Area;
  readonly size: PictureSize;
  readonly format: 'png' | 'jpeg';
}

const program = fileURLToPath(new URL('./redraw-program.ts', import.meta.url));
/**
 * One of the most pixels takes 3 s, and more than 30 on a machine whose processors are taken by others. It keeps one of two turns, and
 * a user has one at a time.
 */
const TIMEOUT_MS = 90_000;
/** Of JavaScript's objects; the library's memory is bounded by the program. */
const HEAP_MB = 64;
/** A PNG of noise at the largest size that is asked for, 640 by 400 pixels, has 1 MB. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Has a picture drawn in a process beside the server, so that what it takes is gone when it is drawn.
 * @param bytes the original
 * @throws PictureError when it cannot be decoded, or not in the bounds
 */
export async function runRedraw(request: RedrawRequest, bytes: Buffer): Promise<Buffer> {
  const args = [...readingOnly, `--max-old-space-size=${HEAP_MB}`, program, JSON.stringify(request)];
  const { input, output, ended, kill } = await startProgram(process.execPath, args, {}, { withInput: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, TIMEOUT_MS);
  try {
    input?.end(bytes);
    const drawn: Buffer[] = [];
    let length = 0;
    for await (const piece of output as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > MOST_BYTES) kill();
      else drawn.push(piece);
    }
    const { code } = await ended;
    if (isLate) throw new PictureError(`It takes longer than ${TIMEOUT_MS / 1000} s to draw.`);
    if (code !== 0) throw new PictureError('The picture is damaged or cut short.');
    return Buffer.concat(drawn);
  } finally {
    clearTimeout(timer);
  }
}
