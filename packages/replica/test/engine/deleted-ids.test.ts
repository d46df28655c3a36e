import { expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { canisterIdOf, ordinalOf } from '../../src/state/canister-id.ts';

test('the ID of a deleted canister is never given out again, also after a restart of the network', async () => {
  await using network = await TestClient.start();
  const create = (id: Uint8Array): Promise<unknown> =>
    network.management('provisional_create_canister_with_cycles', { specified_id: principal(id) });
  const counted = await network.create();
  const ahead = canisterIdOf(ordinalOf(counted) + 1n);
  const low = canisterIdOf(7n);
  await create(low);
  await create(ahead);
  const gone = [counted, low, ahead];
  for (const id of gone) {
    await network.management('stop_canister', { canister_id: principal(id) });
    await network.management('delete_canister', { canister_id: principal(id) });
  }
  for (const restarts of [0, 1]) {
    if (restarts > 0) await network.restart();
    for (const id of gone) {
      await expect(create(id), `ordinal ${ordinalOf(id)}, ${restarts} restarts`).rejects.toMatchObject({
        code: 'IC0205',
        message: expect.stringContaining('deleted') as string,
      });
    }
  }
  expect(await network.create(), 'the counter passes it by').toEqual(canisterIdOf(ordinalOf(ahead) + 1n));
  await create(canisterIdOf(8n));
});
