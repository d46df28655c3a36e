import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSampleIcon, readSamples } from '../apps/server/src/builders/motoko/samples.ts';
import { drawIcon } from './draw-icons.ts';

const SIDE = 256;

/** The pixels of a PNG with one piece of data and rows without a filter, as ours are. */
function pixelsOf(png: Buffer): Buffer {
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  return Buffer.concat(
    Array.from({ length: SIDE }, (_, y) => rows.subarray(y * (SIDE * 4 + 1) + 1, (y + 1) * (SIDE * 4 + 1))),
  );
}

test('the icons of the samples are what the script draws', async () => {
  for (const sample of await readSamples()) {
    const pixels = pixelsOf(await readSampleIcon(sample));
    expect(pixels.equals(drawIcon(sample.folder)), sample.folder).toBe(true);
  }
});
