import { describe, expect, test } from 'vitest';
import type { BlobStore } from './blob-store.ts';

/** SHA-256 of 'abc'. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

/** A store under test, and a way to look and reach behind it. */
export interface StoreUnderTest {
  readonly store: BlobStore;
  /** Everything that is stored, half-written content included. */
  names(): Promise<string[]>;
  /** Changes a stored blob behind the store's back. */
  damage(hash: string): Promise<void>;
}

/** Content in chunks of some size, as an upload brings it. */
async function* inChunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function put(store: BlobStore, content: Uint8Array): Promise<string> {
  const incoming = await store.receive([content]);
  await incoming.keep();
  return incoming.hash;
}

/** What every back end has to do; each runs the same tests. */
export function describeBlobStore(name: string, opened: () => StoreUnderTest): void {
  describe(name, () => {
    test('content is found by its SHA-256 once it is kept', async () => {
      const { store } = opened();
      const incoming = await store.receive([Buffer.from('a'), Buffer.from('bc')]);
      expect([incoming.hash, incoming.size]).toEqual([ABC, 3]);
      expect((await incoming.read()).toString()).toBe('abc');
      expect((await incoming.read({ at: 1, length: 2 })).toString()).toBe('bc');
      await expect(incoming.read({ at: 2, length: 2 })).rejects.toThrow('no 2 bytes at 2');
      expect(await store.has(ABC)).toBe(false);
      await incoming.keep();
      await incoming.discard();
      expect((await store.get(ABC)).toString()).toBe('abc');
      expect(await store.has(ABC)).toBe(true);
    });

    test('the same content is stored once', async () => {
      const { store, names } = opened();
      expect(await put(store, Buffer.from('abc'))).toBe(await put(store, Buffer.from('abc')));
      expect(await names()).toHaveLength(1);
    });

    test('nothing at all is content too', async () => {
      const { store } = opened();
      expect(await store.get(await put(store, Buffer.alloc(0)))).toHaveLength(0);
    });

    test('20 MB in pieces of every size come out as they went in', async () => {
      const { store } = opened();
      const content = Buffer.alloc(20_000_000, 'a long text that does not repeat at round places ');
      for (const size of [65_536, 7_000_001]) {
        const incoming = await store.receive(inChunks(content, size));
        expect(content.equals(await incoming.read())).toBe(true);
        await incoming.keep();
        expect(content.equals(await store.get(incoming.hash))).toBe(true);
      }
    });

    test.each([0, 4, 12_000_000])(
      'a stream that fails after %i bytes leaves nothing behind',
      async (bytes) => {
        const { store, names } = opened();
        async function* failing(): AsyncGenerator<Uint8Array> {
          if (bytes > 0) yield Buffer.alloc(bytes);
          throw new Error('cut off');
        }
        await expect(store.receive(failing())).rejects.toThrow('cut off');
        expect(await names()).toEqual([]);
      },
    );

    test('what is discarded is gone, what is kept stays', async () => {
      const { store, names } = opened();
      await put(store, Buffer.from('abc'));
      const second = await store.receive([Buffer.from('abc')]);
      await second.discard();
      expect((await store.get(ABC)).toString()).toBe('abc');
      expect(await names()).toHaveLength(1);
    });

    test('what is removed is not there, and may be removed again', async () => {
      const { store, names } = opened();
      await put(store, Buffer.from('abc'));
      await store.remove(ABC);
      await store.remove(ABC);
      expect(await store.has(ABC)).toBe(false);
      await expect(store.get(ABC)).rejects.toMatchObject({ name: 'MissingBlobError' });
      expect(await names()).toEqual([]);
    });

    test('content that changed where it is stored is not served', async () => {
      const { store, damage } = opened();
      await put(store, Buffer.from('abc'));
      await damage(ABC);
      await expect(store.get(ABC)).rejects.toMatchObject({
        name: 'DamagedBlobError',
        message: expect.stringMatching(`${ABC} is damaged`),
      });
    });

    test('content can be read piece by piece, and is verified at its end', async () => {
      const { store, damage } = opened();
      const content = Buffer.alloc(3_000_000, 'a long text that does not repeat at round places ');
      const large = await put(store, content);
      const pieces = await Array.fromAsync(store.read(large));
      expect(pieces.length).toBeGreaterThan(1);
      expect(content.equals(Buffer.concat(pieces))).toBe(true);
      await damage(large);
      await expect(Array.fromAsync(store.read(large))).rejects.toMatchObject({ name: 'DamagedBlobError' });
      await expect(Array.fromAsync(store.read(ABC))).rejects.toMatchObject({ name: 'MissingBlobError' });
    });

    test('only a hash names a blob', async () => {
      const { store } = opened();
      for (const name of ['../../etc/passwd', ABC.toUpperCase(), `${ABC}/..`, '']) {
        await expect(store.get(name)).rejects.toThrow('64 hex digits');
        await expect(store.remove(name)).rejects.toThrow('64 hex digits');
      }
    });
  });
}
