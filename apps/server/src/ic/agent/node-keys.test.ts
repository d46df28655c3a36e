import { expect, test } from 'vitest';
import { sharedNodeKeys } from './agent.ts';

test('keys fetched for one canister serve all others until they are too old or did not fit', async () => {
  let now = 1_000;
  const store = sharedNodeKeys(() => now);
  const keys = new Map();
  expect(await store.get('one')).toBeUndefined();
  await store.set('one', keys);
  expect(await store.get('other')).toBe(keys);
  now += store.expirationTime - 1;
  expect(await store.get('other')).toBe(keys);
  now += 1;
  expect(await store.get('other')).toBeUndefined();
  await store.set('one', keys);
  await store.delete('other');
  expect(await store.get('one')).toBeUndefined();
});
