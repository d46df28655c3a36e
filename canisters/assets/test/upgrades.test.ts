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

  test('without a word before the upgrade, everything is there after it', async () => {
    const client = await AssetClient.install();
    const random = (seed: number) => (seed * 7919) % 13;
    for (let step = 0; step < 400; step++) {
      const key = `/${random(step)}`;
      if (random(step + 3) < 3) client.call('delete_asset', { key });
      else client.store(key, randomBytes(random(step) * 1000), 'text/plain');
      if (step % 50 === 49) {
        const before = client.call('list', { start: [], length: [] });
        const answers = Array.from({ length: 13 }, (_, i) => client.get(`/${i}`).body);
        client.host.upgrade();
        expect(client.call('list', { start: [], length: [] })).toEqual(before);
        expect(Array.from({ length: 13 }, (_, i) => client.get(`/${i}`).body)).toEqual(answers);
      }
    }
    expect(client.host.stableBytes).toBeLessThan(1_000_000);
  });

  test('an index of many assets outgrows its place and keeps all of them', async () => {
    const client = await AssetClient.install();
    for (let batch = 0; batch < 5; batch++) {
      client.call('commit_batch', {
        batch_id: 0n,
        operations: Array.from({ length: 200 }, (_, i) => `/folder/${batch}/${i}.txt`).flatMap((key) => [
          createAsset(key),
          setContent(key, [], [], [Buffer.from(key)]),
        ]),
      });
    }
    client.host.upgrade();
    for (const key of ['/folder/0/0.txt', '/folder/2/100.txt', '/folder/4/199.txt'])
      expect(textOf(client.get(key))).toBe(key);
    expect(client.call<unknown[]>('list', { start: [990n], length: [] })).toHaveLength(10);
  });

  test('ids of chunks and batches are never used twice', async () => {
    const client = await AssetClient.install();
    const batch = batchOf(client);
    const chunk = chunkOf(client, batch, Buffer.from('x'));
    client.call('delete_batch', { batch_id: batch });
    for (let i = 0; i < 3; i++) client.store(`/${i}`, randomBytes(70_000), 'text/plain');
    client.host.upgrade();
    expect(batchOf(client)).toBeGreaterThan(batch);
    expect(chunkOf(client, batch + 1n, Buffer.from('y'))).toBeGreaterThan(chunk);
  });

  test('stable memory of something else is refused', async () => {
    const client = await AssetClient.install();
    client.host.overwriteStable(0, Buffer.from('DIDL'));
    expect(() => client.host.upgrade()).toThrow('stable memory holds no asset index');
  });
});
