import { blobOperations, blobTimes } from '../metrics/instruments.ts';
import { type BlobStore, type IncomingBlob, MissingBlobError } from './blob-store.ts';

/** The same store, whose operations are counted and timed. */
export function observeBlobs(store: BlobStore): BlobStore {
  return {
    ...store,
    receive: async (content) => observeIncoming(await store.receive(content)),
    get: (hash) => counted('get', () => store.get(hash)),
    read: (hash) => countedPieces(store.read(hash)),
    has: (hash) => counted('has', () => store.has(hash)),
    remove: (hash) => counted('remove', () => store.remove(hash)),
  };
}

/** What comes in is received into a file of this machine; the store has to do with it when it is kept. */
function observeIncoming(incoming: IncomingBlob): IncomingBlob {
  return { ...incoming, keep: () => counted('keep', () => incoming.keep()) };
}

async function counted<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  let result = 'error';
  try {
    const value = await work();
    result = 'ok';
    return value;
  } catch (error) {
    if (error instanceof MissingBlobError) result = 'missing';
    throw error;
  } finally {
    blobOperations.add({ operation, result });
    blobTimes.took({ operation }, performance.now() - begun);
  }
}

/** The time of a reader that is slow is not the store's. */
async function* countedPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let result = 'error';
  try {
    yield* pieces;
    result = 'ok';
  } catch (error) {
    if (error instanceof MissingBlobError) result = 'missing';
    throw error;
  } finally {
    blobOperations.add({ operation: 'read', result });
  }
}
