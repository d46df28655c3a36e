import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient } from './asset-client.ts';
import { sha256 } from './operations.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

interface Listed {
  readonly key: string;
  readonly content_type: string;
  readonly encodings: {
    readonly content_encoding: string;
    readonly sha256: [Uint8Array];
    readonly length: bigint;
    readonly modified: bigint;
  }[];
}

describe('content', () => {
  test('bodies of every length around the block size hash right', async () => {
    const client = await AssetClient.install();
    for (let length = 0; length <= 130; length++) {
      const content = randomBytes(length);
      client.call('store', {
        key: `/${length}`,
        content_type: 'a/b',
        content_encoding: 'identity',
        content,
        sha256: [sha256(content)],
      });
      const stored = client.call<{ content: Uint8Array }>('get', {
        key: `/${length}`,
        accept_encodings: ['identity'],
      });
      expect(Buffer.compare(stored.content, content)).toBe(0);
    }
  });

  test('list tells what is there, in order, a hundred at a time', async () => {
    const client = await AssetClient.install();
    for (let i = 0; i < 250; i++)
      client.store(`/f${String(i).padStart(3, '0')}`, `content ${i}`, 'text/plain');
    client.store('/f000', 'zipped', 'text/plain', 'gzip');
    const all: Listed[] = [];
    for (let start = 0; ; start += 100) {
      const page = client.call<Listed[]>('list', { start: [BigInt(start)], length: [] });
      all.push(...page);
      if (page.length < 100) break;
    }
    expect(all.map(({ key }) => key)).toEqual(
      Array.from({ length: 250 }, (_, i) => `/f${String(i).padStart(3, '0')}`),
    );
    expect(all[0]?.encodings.map((encoding) => encoding.content_encoding)).toEqual(['gzip', 'identity']);
    expect(all[7]?.encodings[0]).toEqual({
      content_encoding: 'identity',
      sha256: [Uint8Array.from(sha256(Buffer.from('content 7')))],
      length: 9n,
      modified: client.host.time,
    });
    expect(client.call<Listed[]>('list', { start: [249n], length: [5n] })).toHaveLength(1);
    expect(client.call<Listed[]>('list', { start: [999n], length: [] })).toHaveLength(0);
  });

  test('properties are set, changed one by one and told', async () => {
    const client = await AssetClient.install();
    client.store('/a.html', 'x');
    const change = {
      key: '/a.html',
      max_age: [[60n]],
      headers: [[[['X-A', '1']]]],
      allow_raw_access: [],
      is_aliased: [[true]],
    };
    client.call('set_asset_properties', change);
    expect(client.call('get_asset_properties', '/a.html')).toEqual({
      max_age: [60n],
      headers: [[['X-A', '1']]],
      allow_raw_access: [],
      is_aliased: [true],
    });
    client.call('set_asset_properties', {
      key: '/a.html',
      max_age: [[]],
      headers: [],
      allow_raw_access: [],
      is_aliased: [],
    });
    expect(client.call('get_asset_properties', '/a.html')).toEqual({
      max_age: [],
      headers: [[['X-A', '1']]],
      allow_raw_access: [],
      is_aliased: [true],
    });
    expect(client.get('/a').headers.get('x-a')).toBe('1');
  });

  test('clear and unset_asset_content take content away', async () => {
    const client = await AssetClient.install();
    client.store('/a.txt', 'plain', 'text/plain');
    client.store('/a.txt', 'zipped', 'text/plain', 'gzip');
    client.call('unset_asset_content', { key: '/a.txt', content_encoding: 'identity' });
    expect(client.get('/a.txt').headers.get('content-encoding')).toBe('gzip');
    client.call('clear', {});
    expect(client.get('/a.txt').status).toBe(404);
    expect(client.call('list', { start: [], length: [] })).toEqual([]);
  });
});
