import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type AssetFile, encodingsOf } from './asset-file.ts';

const unpack: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

/** The encodings of a file, each checked against its hash and its content. */
async function checked(file: AssetFile & { readonly bytes: Uint8Array }): Promise<string[]> {
  const contents = await encodingsOf(file);
  for (const { encoding, sha256, bytes } of contents) {
    const body = await bytes();
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    expect(Buffer.from(unpack[encoding]?.(body) ?? []).equals(file.bytes)).toBe(true);
  }
  return contents.map(({ encoding }) => encoding);
}

const file = (text: string, more: Partial<AssetFile> = {}) => ({
  key: '/a.txt',
  contentType: 'text/plain',
  bytes: Buffer.from(text),
  ...more,
});

test('text is packed where it pays, the same at the second time, when only hashes are remembered', async () => {
  const long = 'some words and some more '.repeat(100);
  for (const _round of ['packed', 'remembered']) {
    expect(await checked(file(long))).toEqual(['identity', 'gzip', 'br']);
    expect(await checked(file('short'))).toEqual(['identity']);
    expect(await checked(file(long, { contentType: 'image/png' }))).toEqual(['identity']);
    expect(await checked(file(long, { encoders: ['gzip'] }))).toEqual(['gzip']);
    // Without the plain body, also what is no smaller is sent.
    expect(await checked(file('short', { encoders: ['br', 'gzip'] }))).toEqual(['br', 'gzip']);
    expect(await checked(file('short', { encoders: ['identity', 'gzip'] }))).toEqual(['identity']);
  }
});
