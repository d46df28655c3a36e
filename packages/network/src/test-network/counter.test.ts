import { TestNetwork } from '@cannery/network/test-network';
import { expect, test } from 'vitest';
import { type Counter, counterInterface, counterWasm } from '../../test/canisters/motoko-counter.ts';

test('a counter counts', async () => {
  await using network = await TestNetwork.open({ seed: 1 });
  const id = await network.createCanister();
  await network.install(id, counterWasm());
  const counter = network.actor<Counter>(id, counterInterface);
  expect(await counter.inc()).toBe(1n);
});
