import { expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { spenderWat } from '../canisters/spending-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const DAY = 86_400n;
const GIB = 1n << 30n;
const START = 60_000_000_000_000n;
const END = 51_024_838_437_986n;
const TIMEOUT = { timeout: 60_000 };
/** A variable fills an `update_settings` beyond the size up to which it is billed by its argument. */
const LONG = [1, 2, 3, 4].map((name) => ({ name: `V${name}`, value: 'x'.repeat(100) }));

/** What the script costs in cycles, worked out by hand in docs/cycles.md; every message is 1,000 bytes. */
const TABLE = {
  // 1,200,000 + 1,000 * 2,000, for: install, 100 ticks, 10 asks, 2 changes of settings, 1 burn.
  ingress: 114n * 3_200_000n,
  // The fee for a message; the module has nothing to run at installation.
  install: 5_000_000n,
  // tick: entry 1, call 5, msg_reply 500.
  ticks: 100n * (5_000_000n + 506n),
  // ask: entry 1, eight constants, two calls 5 each, drop 1, call_new 1,500, 10 + 4 bytes, call_perform 5,000.
  asks: 10n * (5_000_000n + 6_534n),
  // Its callback is as long as a tick.
  callbacks: 10n * (5_000_000n + 506n),
  // A call: 260,000, and 1,000 for each of the 4 bytes of its method; argument and reply are empty.
  transmission: 10n * 264_000n,
  // burn: entry 1, three constants, two calls 5 each, cycles_burn128 500, msg_reply 500.
  burn: 5_000_000n + 1_014n,
  burned: 5_000_000_000n,
  // 1 GiB for 259,200 periods of 10 s, at 127,000 a second.
  memory: 329_184_000_000n,
  // 1 % for 10 of the 30 days: 86,400 periods, at 10,000,000 a second.
  compute: 8_640_000_000_000n,
};

test.each([
  ['in the engine thread', {}],
  ['in another thread', { messageSlice: 100n }],
] as const)(
  'a scripted month run %s costs what the table says, to the cycle',
  TIMEOUT,
  async (_where, heavy) => {
    await using client = await TestClient.start({ stopTime: true, heavy });
    client.messageBytes = 1_000;
    const peer = await client.create();
    await client.install(peer, wat(spenderWat(peer)));
    const id = await client.create({ cycles: START, settings: { memory_allocation: GIB } });
    const begin = client.now();
    const until = (day: bigint): Promise<void> => client.engine.setTime(begin + day * DAY * 1_000_000_000n);
    const set = (settings: object): Promise<unknown> =>
      client.management('update_settings', {
        canister_id: principal(id),
        settings: { ...settings, environment_variables: LONG },
      });

    await client.install(id, wat(spenderWat(peer)));
    await until(1n);
    for (let count = 0; count < 100; count += 1) await client.update(id, 'tick');
    await until(5n);
    for (let count = 0; count < 10; count += 1) await client.update(id, 'ask');
    await until(10n);
    await set({ compute_allocation: 1n });
    await until(20n);
    await set({ compute_allocation: 0n });
    await until(25n);
    await client.update(id, 'burn');
    await until(30n);

    expect(Object.values(TABLE).reduce((sum, cost) => sum + cost, 0n)).toBe(START - END);
    expect(await client.cycles(id)).toBe(END);
    expect(await client.managementQuery('canister_metrics', { canister_id: principal(id) })).toEqual({
      cycles_consumed: {
        memory: TABLE.memory,
        compute_allocation: TABLE.compute,
        ingress_induction: TABLE.ingress,
        instructions: TABLE.install + TABLE.ticks + TABLE.asks + TABLE.callbacks + TABLE.burn,
        request_and_response_transmission: TABLE.transmission,
        uninstall: 0n,
        canister_creation: 0n,
        http_outcalls: 0n,
        burned_cycles: TABLE.burned,
      },
    });
    // 1 GiB for a day.
    expect(await client.status(id)).toMatchObject({
      idle_cycles_burned_per_day: 10_972_800_000n,
      reserved_cycles: 0n,
    });
    // The balances are the same after a restart, in which nobody asked for them.
    await client.restart();
    expect(await client.cycles(id)).toBe(END);
  },
);
