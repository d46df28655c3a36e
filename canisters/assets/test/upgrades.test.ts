import { randomBytes } from 'node:crypto';
import { Principal } from '@icp-sdk/core/principal';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient, textOf } from './asset-client.ts';
import { batchOf, chunkOf, createAsset, setContent } from './operations.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('upgrades', () => {
  test('content, properties, permissions and unfinished batches survive', async () => {
    const client = await AssetClient.install();
    const friend = Principal.selfAuthenticating(randomBytes(32));
    client.store('/index.html', 'start');
    client.store('/404.html', 'lost');
    client.store('/big', randomBytes(3_000_000), 'application/octet-stream');
    client.call('set_asset_properties', {
      key: '/index.html',
      max_age: [[60n]],
      headers: [[[['X-A', '1']]]],
      allow_raw_access: [],
      is_aliased: [],
    });
    client.call('grant_permission', { to_principal: friend, permission: { Prepare: null } });
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('late'));
    const before = client.call('list', { start: [], length: [] });
    const big = client.get('/big').body;

    client.host.upgrade();
    client.host.upgrade();

    expect(client.call('list', { start: [], length: [] })).toEqual(before);
    expect(client.get('/').headers.get('x-a')).toBe('1');
    expect(client.get('/nope').status).toBe(404);
    expect(Buffer.compare(client.get('/big').body, big)).toBe(0);
    expect(client.call<Principal[]>('list_permitted', { permission: { Prepare: null } }).map(String)).toEqual(
      [String(friend)],
    );
    client.call('commit_batch', {
      batch_id: batch,
      operations: [createAsset('/late'), setContent('/late', [chunk])],
    });
    expect(textOf(client.get('/late'))).toBe('late');
  });

  test('space stays in order over upgrades', async () => {
    const client = await AssetClient.install();
    for (let round = 0; round < 6; round++) {
      client.store('/a', randomBytes(500_000), 'text/plain');
      client.store('/b', `round ${round}`, 'text/plain');
      client.host.upgrade();
      expect(textOf(client.get('/b'))).toBe(`round ${round}`);
    }
    expect(client.host.stableBytes).toBeLessThan(2_000_000);
  });

  test('an upgrade that skipped saving is refused instead of losing content', async () => {
    const client = await AssetClient.install();
    client.store('/a', 'x');
    client.host.upgrade();
    expect(() => client.host.upgradeWithoutSaving()).toThrow('stable memory holds no asset index');
  });
});
