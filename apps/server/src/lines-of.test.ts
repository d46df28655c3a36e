import { expect, test } from 'vitest';
import { linesOf } from './lines-of.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 2, 3, 1000])('a line ends at a line feed only, in pieces of %i bytes', async (size) => {
  const lines = ['a\u2028b\u2029c', '', '\r', 'd\re\u0085f', 'käse 🧀', 'no end'];
  expect(await Array.fromAsync(linesOf(pieces(Buffer.from(lines.join('\n')), size)))).toEqual(lines);
});

test('nothing has no lines, and a last line feed begins none', async () => {
  expect(await Array.fromAsync(linesOf(pieces(Buffer.from(''), 10)))).toEqual([]);
  expect(await Array.fromAsync(linesOf(pieces(Buffer.from('a\n\n'), 10)))).toEqual(['a', '']);
});

test('bytes that are no UTF-8 are kept where each is a character', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0xa0, 0x0a, 0x80]);
  const lines = await Array.fromAsync(linesOf(pieces(bytes, 2), 'latin1'));
  expect(Buffer.from(lines.join('\n'), 'latin1')).toEqual(bytes);
});

test('a long line in many pieces is put together once', async () => {
  const long = 'x'.repeat(4_000_000);
  expect(await Array.fromAsync(linesOf(pieces(Buffer.from(`${long}\n${long}`), 64)))).toEqual([long, long]);
});
