import { TestClient } from '@cannery/replica/test-client';
import { wat } from '@cannery/wasm/text-format';
import { expect, test } from 'vitest';
import { COUNTER_WAT } from './canisters/text-canisters.ts';

test('a counter counts', async () => {
  await using client = await TestClient.start();
  const counter = await client.deploy(wat(COUNTER_WAT));
  await client.update(counter, 'inc');
  expect(await client.query(counter, 'get')).toEqual(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0));
});
