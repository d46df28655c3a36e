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

export function sha256(content: Uint8Array): Uint8Array {
  return createHash('sha256').update(content).digest();
}

export function batchOf(client: AssetClient): bigint {
  return client.call<{ batch_id: bigint }>('create_batch', {}).batch_id;
}

export function chunkOf(client: AssetClient, batch: bigint, content: Uint8Array): bigint {
  return client.call<{ chunk_id: bigint }>('create_chunk', { batch_id: batch, content }).chunk_id;
}
