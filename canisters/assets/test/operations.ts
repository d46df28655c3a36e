import { createHash } from 'node:crypto';
import type { AssetClient } from './asset-client.ts';

export function createAsset(key: string, contentType = 'text/plain') {
  return {
    CreateAsset: {
      key,
      content_type: contentType,
      max_age: [],
      headers: [],
      enable_aliasing: [],
      allow_raw_access: [],
    },
  };
}

export function setContent(
  key: string,
  chunkIds: bigint[],
  sha256: Uint8Array[] = [],
  lastChunk: Uint8Array[] = [],
) {
  return {
    SetAssetContent: {
      key,
      content_encoding: 'identity',
      chunk_ids: chunkIds,
      sha256,
      last_chunk: lastChunk,
    },
  };
}

/** A file of several chunks, uploaded and committed as the usual clients do. */
export function upload(client: AssetClient, key: string, content: Uint8Array, chunkSize = 1_900_000): void {
  const batch = batchOf(client);
  const chunks: bigint[] = [];
  for (let at = 0; at < content.length; at += chunkSize) {
    chunks.push(chunkOf(client, batch, content.subarray(at, at + chunkSize)));
  }
  client.call('commit_batch', {
    batch_id: batch,
    operations: [createAsset(key, 'application/octet-stream'), setContent(key, chunks, [sha256(content)])],
  });
}

export function sha256(content: Uint8Array): Uint8Array {
  return createHash('sha256').update(content).digest();
}

export function batchOf(client: AssetClient): bigint {
  return client.call<{ batch_id: bigint }>('create_batch', {}).batch_id;
}

export function chunkOf(client: AssetClient, batch: bigint, content: Uint8Array): bigint {
  return client.call<{ chunk_id: bigint }>('create_chunk', { batch_id: batch, content }).chunk_id;
}
