import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkedWasm } from './wasm-module.ts';

const MODULE = Buffer.concat([
  Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]),
  Buffer.alloc(50_000, 7),
]);

async function pass(bytes: Uint8Array, chunk = 1000): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  );
  return Buffer.concat(await Array.fromAsync(checkedWasm(Readable.from(chunks, { objectMode: false }))));
}

test.each([
  ['raw', MODULE, 1000],
  ['raw, byte by byte', MODULE.subarray(0, 40), 1],
  ['gzip', gzipSync(MODULE), 1000],
  ['gzip, byte by byte', gzipSync(MODULE), 1],
])('a module passes unchanged: %s', async (_name, bytes, chunk) => {
  expect(await pass(bytes, chunk)).toEqual(Buffer.from(bytes));
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['too short', Buffer.from([0x00, 0x61, 0x73, 0x6d])],
  ['text', Buffer.from('<html>not a module</html>')],
  ['another version', Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x02, 0x00, 0x00, 0x00])],
  ['gzip of text', gzipSync(Buffer.from('hello hello hello'))],
  ['gzip of nothing', gzipSync(Buffer.alloc(0))],
  ['gzip cut short', gzipSync(MODULE).subarray(0, 60)],
  ['gzip in name only', Buffer.from([0x1f, 0x8b, 0x08, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])],
])('[VAL-10] %s is refused', async (_name, bytes) => {
  await expect(pass(bytes)).rejects.toMatchObject({
    code: 'invalid_wasm',
    message: 'Invalid file format. Only WASM allowed.',
  });
});

test('a gzip bomb is cut off', async () => {
  const bomb = gzipSync(Buffer.concat([MODULE, Buffer.alloc(101 * 1024 * 1024)]), { level: 1 });
  await expect(pass(bomb, 16_384)).rejects.toMatchObject({ code: 'payload_too_large' });
});
