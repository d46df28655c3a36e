import { expect, test } from 'vitest';
import { ALICE, BOB, principal, TestClient } from '../engine-client.ts';
import { Proxy } from '../canisters/proxy-canister.ts';

const CREATE = 'provisional_create_canister_with_cycles';
const TOP_UP = 'provisional_top_up_canister';
const ANONYMOUS = Uint8Array.of(4);
const REFUSED = { code: 'IC0536', admitted: false, message: expect.stringContaining('NETWORK_PROVISIONAL') };

test('cycles are made for whom the setting names, and for no user and no canister else', async () => {
  await using client = await TestClient.start({ provisional: ALICE });
  const proxy = await Proxy.deploy(client);
  const topUp = { canister_id: principal(proxy.id), amount: 7n };
  await client.management(TOP_UP, topUp, ALICE);
  for (const sender of [BOB, ANONYMOUS]) {
    await expect(client.create({ sender })).rejects.toMatchObject(REFUSED);
    await expect(client.management(TOP_UP, topUp, sender)).rejects.toMatchObject(REFUSED);
  }
  await expect(proxy.call(CREATE, { amount: [], settings: [] })).rejects.toMatchObject({ rejectCode: 5 });
  await expect(proxy.call(TOP_UP, topUp)).rejects.toMatchObject({ rejectCode: 5 });
});

test('nobody is nobody', async () => {
  await using client = await TestClient.start({ provisional: 'nobody' });
  await expect(client.create({ sender: ALICE })).rejects.toMatchObject(REFUSED);
});
