// Draws the icons of the sample dapps: `node scripts/draw-icons.ts` writes examples/<folder>/icon.png.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { box, circle, ring, type Shape, stroke, union, without } from './icon-shapes.ts';

interface Icon {
  /** Colour of the ground at the top and at the bottom. */
  readonly ground: readonly [top: number, bottom: number];
  readonly figure: Shape;
}

/** Pixels of a side. */
const SIZE = 256;
const GROUND = box(0.5, 0.5, 1, 1, 0.22);

/** By folder of the sample. */
const icons: Readonly<Record<string, Icon>> = {
  'token-ledger': {
    ground: [0xe0a526, 0xb4690e],
    figure: union(
      ring(0.5, 0.5, 0.27, 0.06),
      stroke(0.06, [0.41, 0.4], [0.59, 0.4]),
      stroke(0.06, [0.5, 0.4], [0.5, 0.63]),
    ),
  },
  'guest-book': {
    ground: [0xd1477f, 0x9b2c6f],
    figure: union(
      without(
        union(box(0.37, 0.5, 0.24, 0.42, 0.03), box(0.63, 0.5, 0.24, 0.42, 0.03)),
        union(
          stroke(0.03, [0.31, 0.4], [0.43, 0.4]),
          stroke(0.03, [0.31, 0.48], [0.43, 0.48]),
          stroke(0.03, [0.57, 0.4], [0.69, 0.4]),
          stroke(0.03, [0.57, 0.48], [0.66, 0.48]),
        ),
      ),
    ),
  },
  poll: {
    ground: [0x5b83f5, 0x2f5bea],
    figure: union(
      stroke(0.09, [0.27, 0.34], [0.73, 0.34]),
      stroke(0.09, [0.27, 0.5], [0.53, 0.5]),
      stroke(0.09, [0.27, 0.66], [0.39, 0.66]),
    ),
  },
  'key-value': {
    ground: [0x6d5bd0, 0x4632a8],
    figure: union(
      ring(0.36, 0.5, 0.12, 0.07),
      stroke(0.07, [0.48, 0.5], [0.76, 0.5]),
      stroke(0.07, [0.76, 0.5], [0.76, 0.6]),
      stroke(0.07, [0.65, 0.5], [0.65, 0.58]),
    ),
  },
  'file-drop': {
    ground: [0x2aa6a1, 0x11706c],
    figure: union(
      stroke(0.08, [0.5, 0.25], [0.5, 0.56]),
      stroke(0.08, [0.37, 0.44], [0.5, 0.57], [0.63, 0.44]),
      stroke(0.08, [0.27, 0.6], [0.27, 0.73], [0.73, 0.73], [0.73, 0.6]),
    ),
  },
  'status-page': {
    ground: [0x2f9e63, 0x1b7f4b],
    figure: union(
      stroke(0.065, [0.2, 0.52], [0.37, 0.52], [0.45, 0.32], [0.56, 0.68], [0.63, 0.52], [0.74, 0.52]),
      circle(0.79, 0.52, 0.05),
    ),
  },
};

/** How much of a pixel a shape covers, from 0 to 1. */
function coverage(shape: Shape, x: number, y: number): number {
  return Math.min(1, Math.max(0, 0.5 - shape((x + 0.5) / SIZE, (y + 0.5) / SIZE) * SIZE));
}

/** The pixels of an icon, row by row, four bytes each. */
export function drawIcon(folder: string): Buffer {
  const icon = icons[folder];
  if (icon === undefined) throw new Error(`There is no drawing of ${folder}.`);
  const [top, bottom] = icon.ground;
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  for (let at = 0; at < SIZE * SIZE; at += 1) {
    const x = at % SIZE;
    const y = Math.floor(at / SIZE);
    const white = coverage(icon.figure, x, y);
    for (const [channel, shift] of [16, 8, 0].entries()) {
      const from = (top >> shift) & 255;
      const ground = from + (((bottom >> shift) & 255) - from) * (y / (SIZE - 1));
      pixels[at * 4 + channel] = Math.round(ground + (255 - ground) * white);
    }
    pixels[at * 4 + 3] = Math.round(coverage(GROUND, x, y) * 255);
  }
  return pixels;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of the pixels: 8 bits a channel, with transparency. */
function pngOf(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 6], 8);
  const rows = Array.from({ length: SIZE }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * SIZE * 4, (y + 1) * SIZE * 4)]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

if (import.meta.main) {
  for (const folder of Object.keys(icons)) {
    writeFileSync(new URL(`../examples/${folder}/icon.png`, import.meta.url), pngOf(drawIcon(folder)));
  }
}
