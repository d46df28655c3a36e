import { expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { asNat, EMPTY, principal, TestClient } from '../../test/engine-client.ts';
import { BURNER_WAT } from '../../test/canisters/heavy-canisters.ts';
import { COUNTER } from '../../test/canisters/motoko-canisters.ts';
import { COUNTER_WAT } from '../../test/canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const BURNERS = 20;
const ENDLESS_START = '(module (func $s (loop $l (br $l))) (start $s) (memory 1))';

test('many canisters that never end leave the others unharmed, and installations too', async () => {
  await using client = await TestClient.start({ fees: 'free' });
  const counter = await client.deploy(wat(COUNTER_WAT));
  const motoko = compileMotoko(COUNTER);
  const burners = await Promise.all(
    Array.from({ length: BURNERS }, () => client.deploy(wat(BURNER_WAT), { arg: new Uint8Array(0) })),
  );
  const victim = await client.create();
  void client.install(victim, wat(ENDLESS_START));
  const runaways = await Promise.all(burners.map((burner) => client.submit(burner, 'forever', EMPTY)));
  for (const burner of burners) client.query(burner, 'forever_query').catch((error: unknown) => error);
  const fresh = await client.deploy(motoko);
  expect(asNat(await client.update(fresh, 'inc'))).toBe(1n);
  for (let round = 1; round <= 100; round++) {
    const [reply] = await Promise.all([
      client.update(counter, 'inc'),
      client.query(counter, 'get'),
      client.query(fresh, 'get'),
    ]);
    expect(Buffer.from(reply).readBigUInt64LE()).toBe(BigInt(round));
  }
  // Of messages at the limit of the Internet Computer, not all can have ended by now.
  const states = runaways.map((request) => client.statusOf(request));
  expect(states.filter((state) => state !== 'rejected').length).toBeGreaterThan(BURNERS / 2);
  expect((await client.status(victim))['module_hash']).toEqual([]);
  expect(await client.query(burners[0] ?? counter, 'state')).toHaveLength(24);
  await expect(
    client.management('canister_status', { canister_id: principal(counter) }),
  ).resolves.toMatchObject({ status: { running: null } });
}, 120_000);
