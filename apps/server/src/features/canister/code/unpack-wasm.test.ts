import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isGzip, unpackWasm } from './unpack-wasm.ts';

const MODULE = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

test('gzip is unpacked, and everything else left alone', async () => {
  expect(Buffer.from(await unpackWasm(gzipSync(MODULE)))).toEqual(Buffer.from(MODULE));
  expect(await unpackWasm(MODULE)).toBe(MODULE);
  expect([isGzip(MODULE), isGzip(gzipSync(MODULE))]).toEqual([false, true]);
});

test('a bomb and damaged data are refused', async () => {
  const bomb = gzipSync(Buffer.alloc(101 * 1024 * 1024), { level: 1 });
  await expect(unpackWasm(bomb)).rejects.toMatchObject({ code: 'payload_too_large' });
  await expect(unpackWasm(gzipSync(MODULE).subarray(0, 15))).rejects.toMatchObject({ code: 'invalid_wasm' });
});
