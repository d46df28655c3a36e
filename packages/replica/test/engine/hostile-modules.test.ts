import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { principal, Rejected, TestClient } from '../engine-client.ts';
import { type Attack, INSTRUCTIONS, OK } from '../hostile/attack.ts';
import { SELF_CALL_BOMB } from '../hostile/runaways.ts';
import { HOSTILE_MODULES } from '../hostile/hostile-modules.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/** Counts; the state must be there and right whatever others do. */
const NEIGHBOUR = wat(`(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (func (export "canister_update count") (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (call $reply))
  (func (export "canister_query value") (call $append (i32.const 0) (i32.const 4)) (call $reply)))`);

/** Low, so that what does not end ends soon. */
const LIMITS = { update: 120_000_000n, query: 100_000_000n, install: 100_000_000n, inspect: 20_000_000n };

describe('hostile modules', () => {
  let client: TestClient;
  let neighbour: Uint8Array;
  let counted = 0;

  beforeAll(async () => {
    client = await TestClient.start({ instructionLimits: LIMITS });
    neighbour = await client.deploy(NEIGHBOUR);
  }, 60_000);
  afterAll(() => client[Symbol.asyncDispose]());

  async function requireNeighbour(): Promise<void> {
    await client.update(neighbour, 'count');
    counted += 1;
    const value = await client.query(neighbour, 'value');
    expect(Buffer.from(value).readUInt32LE()).toBe(counted);
  }

  /** The code an action ends with. */
  async function endOf(action: () => Promise<unknown>): Promise<string> {
    try {
      await action();
      return OK;
    } catch (error) {
      if (error instanceof Rejected) return error.code;
      throw error;
    }
  }

  /** Waits until the canister's log tells of a trap. */
  async function trapInLog(id: Uint8Array): Promise<string> {
    for (;;) {
      const { canister_log_records: records } = (await client.managementQuery('fetch_canister_logs', {
        canister_id: principal(id),
      })) as { canister_log_records: { content: Uint8Array }[] };
      const last = records.at(-1);
      if (last) return Buffer.from(last.content).toString();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function endOfAttack({ by, module }: Attack, id: Uint8Array): Promise<string> {
    const bytes = module();
    if (by === 'install') return endOf(() => client.install(id, bytes));
    await client.install(id, bytes);
    switch (by) {
      case 'update':
      case 'ingress':
        return endOf(() => client.update(id, 'f'));
      case 'query':
        return endOf(() => client.query(id, 'f'));
      case 'upgrade':
        return endOf(() => client.install(id, bytes, { mode: { upgrade: [] } }));
      case 'task':
        return (await trapInLog(id)).includes('exceeded the limit') ? INSTRUCTIONS : 'another trap';
    }
  }

  async function remove(id: Uint8Array): Promise<void> {
    await client.management('stop_canister', { canister_id: principal(id) });
    await client.management('delete_canister', { canister_id: principal(id) });
  }

  test('there are more than two hundred, each with another name', () => {
    const names = Object.values(HOSTILE_MODULES).flatMap((attacks) => attacks.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(200);
  });

  describe.each(Object.entries(HOSTILE_MODULES))('%s', (_kind, attacks) => {
    test.each(attacks.map((attack) => [`${attack.name}: ${attack.ends}`, attack] as const))(
      '%s',
      async (_name, attack) => {
        const id = await client.create();
        const [end] = await Promise.all([endOfAttack(attack, id), requireNeighbour()]);
        expect(end).toBe(attack.ends);
        await remove(id);
        await requireNeighbour();
      },
      60_000,
    );
  });

  test('calls that double for ever leave room for others, and end when the canister is stopped', async () => {
    const bomb = await client.deploy(SELF_CALL_BOMB.module());
    expect(await endOf(() => client.update(bomb, 'f'))).toBe(SELF_CALL_BOMB.ends);
    for (let turn = 0; turn < 10; turn++) await requireNeighbour();
    await remove(bomb);
    await requireNeighbour();
  }, 30_000);
});
