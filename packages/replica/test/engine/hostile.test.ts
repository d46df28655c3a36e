import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { DATA_OUTSIDE_WAT, GREEDY_WAT, RESTLESS_WAT } from '../hostile/hostile-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const MIB = 1024 * 1024;

/** Most memory the process held while `action` ran, above what it held before, in MiB. */
async function growth(action: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 5);
  await action();
  sample();
  clearInterval(timer);
  return Math.round((most - before) / MIB);
}

/** Processor time of the whole process while `action` ran. */
async function cpuMillis(action: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('canister code that takes more than its share', () => {
  let client: TestClient;
  let greedy: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start();
    greedy = await client.deploy(wat(GREEDY_WAT));
  }, 60_000);
  afterAll(() => client[Symbol.asyncDispose]());

  const isAlive = async (): Promise<void> => {
    expect(await client.query(greedy, 'ok')).toEqual(new Uint8Array(0));
  };

  test('initial data outside the memory is refused at installation', async () => {
    await expect(client.deploy(wat(DATA_OUTSIDE_WAT))).rejects.toMatchObject({ code: 'IC0505' });
    await isAlive();
  });

  test('a read of more stable memory than the heap holds traps', async () => {
    await client.update(greedy, 'grow_stable');
    await expect(client.query(greedy, 'read_all_stable')).rejects.toMatchObject({ code: 'IC0522' });
    await isAlive();
  });

  test('touching all of a large stable memory does not fill the memory of the host', async () => {
    await client.update(greedy, 'grow_stable');
    expect(await growth(() => client.query(greedy, 'look_everywhere').catch(() => undefined))).toBeLessThan(
      400,
    );
    await isAlive();
  }, 60_000);

  test('a composite query that never ends is stopped', async () => {
    const restless = await client.deploy(wat(RESTLESS_WAT));
    await expect(client.query(restless, 'forever', greedy)).rejects.toMatchObject({ code: 'IC0526' });
    await isAlive();
  });

  test('what a message prints is bounded, also when it prints nothing many times', async () => {
    expect(await growth(() => client.update(greedy, 'print_much'))).toBeLessThan(300);
    await client.update(greedy, 'print_nothing');
    const { canister_log_records: records } = (await client.managementQuery('fetch_canister_logs', {
      canister_id: principal(greedy),
    })) as { canister_log_records: unknown[] };
    expect(records.length).toBeLessThan(1_000);
  }, 30_000);

  test.each(['append', 'call'])(
    'many small steps of the system API take time in proportion: %s',
    async (step) => {
      const few = await cpuMillis(() => client.update(greedy, `${step}_some`));
      const many = await cpuMillis(() => client.update(greedy, `${step}_many`));
      // Four times as many; with a cost that grows with their number it would be sixteen times as much.
      expect(many).toBeLessThan(10 * few + 200);
      await isAlive();
    },
    60_000,
  );
});
