import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient, textOf } from './asset-client.ts';
import { batchOf, chunkOf, createAsset, setContent, sha256 } from './operations.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('batches', () => {
  test('nothing of a batch is served before it is committed, all of it after', async () => {
    const client = await AssetClient.install();
    const batch = batchOf(client);
    const [first, second] = client.call<{ chunk_ids: bigint[] }>('create_chunks', {
      batch_id: batch,
      content: [Buffer.from('first'), Buffer.from('second')],
    }).chunk_ids as [bigint, bigint];
    expect(client.get('/a.txt').status).toBe(404);
    client.call('commit_batch', {
      batch_id: batch,
      operations: [
        createAsset('/a.txt'),
        setContent('/a.txt', [first], [sha256(Buffer.from('first'))]),
        createAsset('/b.txt'),
        setContent('/b.txt', [second]),
      ],
    });
    expect(textOf(client.get('/a.txt'))).toBe('first');
    expect(textOf(client.get('/b.txt'))).toBe('second');
  });

  test('a body of several chunks and a last one has their bytes in order', async () => {
    const client = await AssetClient.install();
    const batch = batchOf(client);
    const content = randomBytes(4_500_000);
    const ids = [0, 1, 2].map((i) =>
      chunkOf(client, batch, content.subarray(i * 1_400_000, (i + 1) * 1_400_000)),
    );
    client.call('commit_batch', {
      batch_id: batch,
      operations: [
        createAsset('/big'),
        setContent('/big', ids, [sha256(content)], [content.subarray(4_200_000)]),
      ],
    });
    expect(Buffer.compare(client.get('/big').body, content)).toBe(0);
    const first = client.call<{ content: Uint8Array; total_length: bigint; sha256: [Uint8Array] }>('get', {
      key: '/big',
      accept_encodings: ['gzip', 'identity'],
    });
    expect(first.total_length).toBe(4_500_000n);
    const pieces = [first.content];
    for (let index = 1; index * first.content.length < content.length; index++) {
      pieces.push(
        client.call<{ content: Uint8Array }>('get_chunk', {
          key: '/big',
          content_encoding: 'identity',
          index: BigInt(index),
          sha256: first.sha256,
        }).content,
      );
    }
    expect(Buffer.compare(Buffer.concat(pieces), content)).toBe(0);
  });

  test('operations apply in order: replace everything in one commit', async () => {
    const client = await AssetClient.install();
    client.store('/old.txt', 'old', 'text/plain');
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('new'));
    client.call('commit_batch', {
      batch_id: batch,
      operations: [{ Clear: {} }, createAsset('/new.txt'), setContent('/new.txt', [chunk])],
    });
    expect(client.get('/old.txt').status).toBe(404);
    expect(textOf(client.get('/new.txt'))).toBe('new');
  });

  test.each([
    ['a wrong hash', setContent('/a', [], [randomBytes(32)], [Buffer.from('x')]), 'sha256 mismatch: /a'],
    ['an unknown chunk', setContent('/a', [99n]), 'chunk not found: 99'],
    ['no content at all', setContent('/a', []), 'encoding must have at least one chunk'],
    ['an asset that does not exist', setContent('/b', [], [], [Buffer.from('x')]), 'asset not found: /b'],
    ['an asset that exists', createAsset('/a'), 'asset already exists: /a'],
    ['a key without slash', createAsset('a'), 'invalid key a'],
    ['a key the tree uses itself', createAsset('/x/<*>'), 'invalid key'],
  ])('a commit is refused for %s', async (_what, operation, message) => {
    const client = await AssetClient.install();
    client.call('create_asset', createAsset('/a').CreateAsset);
    expect(() => client.call('commit_batch', { batch_id: batchOf(client), operations: [operation] })).toThrow(
      message,
    );
  });

  test('a batch expires five minutes after its last chunk, and its space is used again', async () => {
    const client = await AssetClient.install();
    const content = randomBytes(1_000_000);
    for (let round = 0; round < 5; round++) {
      const batch = batchOf(client);
      chunkOf(client, batch, content);
      client.host.time += 301_000_000_000n;
      batchOf(client);
      expect(() => chunkOf(client, batch, content)).toThrow('batch not found');
    }
    expect(client.host.stableBytes).toBeLessThan(2_000_000);
  });

  test('replaced and deleted content gives its space back', async () => {
    const client = await AssetClient.install();
    for (let round = 0; round < 20; round++) {
      client.store('/a', randomBytes(300_000 + round * 1000), 'text/plain');
      client.store('/b', randomBytes(200_000), 'text/plain');
      if (round % 3 === 0) client.call('delete_asset', { key: '/b' });
    }
    expect(client.host.stableBytes).toBeLessThan(1_600_000);
    expect(client.get('/a').body.length).toBe(319_000);
  });

  test('delete_batch forgets the chunks', async () => {
    const client = await AssetClient.install();
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('x'));
    client.call('delete_batch', { batch_id: batch });
    expect(() =>
      client.call('commit_batch', {
        batch_id: batch,
        operations: [createAsset('/a'), setContent('/a', [chunk])],
      }),
    ).toThrow('chunk not found');
  });
});
