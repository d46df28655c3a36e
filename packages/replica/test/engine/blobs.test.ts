import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY, principal, TestClient } from '../engine-client.ts';
import { COUNTER_WAT, GROWING_WAT } from '../canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('stored modules', () => {
  const first = wat(COUNTER_WAT);
  const second = wat(GROWING_WAT);
  let client: TestClient;
  const exists = (hash: string): boolean => existsSync(join(client.configuration.dataDir, 'blobs', hash));
  const upgrade = { mode: { upgrade: [] } };

  beforeAll(async () => {
    client = await TestClient.start({ loadedBytes: 1 });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('a module stays while one of two canisters runs it, and goes with the last', async () => {
    const a = await client.deploy(first);
    const b = await client.deploy(first);
    await client.install(a, second, upgrade);
    await client.restart();
    expect(Buffer.from(await client.update(b, 'inc')).readBigUInt64LE()).toBe(1n);
    await client.management('stop_canister', { canister_id: principal(b) });
    await client.management('delete_canister', { canister_id: principal(b) });
    await expect.poll(() => exists(hashOf(first))).toBe(false);
    expect(exists(hashOf(second))).toBe(true);
  });

  test('a module that is installed again at once is not lost', async () => {
    const canister = await client.deploy(first);
    for (let i = 0; i < 5; i++) {
      await Promise.all([
        client.install(canister, second, upgrade),
        client.install(canister, first, upgrade),
        client.install(canister, second, upgrade),
        client.install(canister, first, upgrade),
      ]);
    }
    await client.restart();
    expect(Buffer.from(await client.query(canister, 'get', EMPTY))).toHaveLength(8);
  });

  test('what a crash left between writing a module and its commit is deleted at the next start', async () => {
    const orphan = Buffer.from('never committed');
    await client.close();
    writeFileSync(join(client.configuration.dataDir, 'blobs', hashOf(orphan)), orphan);
    await client.open();
    expect(exists(hashOf(orphan))).toBe(false);
    expect(exists(hashOf(first))).toBe(true);
  });
});
