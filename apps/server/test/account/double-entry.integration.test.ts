import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const T = 1_000_000_000_000n;
const OPENING = 8n * T;

let server: RunningServer;
let users: ApiClient[];
beforeAll(async () => {
  server = await startTestServer({ OPENING_BALANCE_T: '8' });
  users = await Promise.all(['ada', 'bob', 'cyd'].map((name) => ApiClient.signIn(server.url, name)));
});
afterAll(() => server.close());

interface Line {
  readonly type: unknown;
  readonly amount: bigint;
  readonly before: bigint;
  readonly after: bigint;
}

/** The history of an account, oldest line first. */
async function historyOf(user: ApiClient): Promise<Line[]> {
  const lines = await user.list('/transactions/');
  return lines.toReversed().map((line) => ({
    type: line.transaction_type,
    amount: BigInt(Number(line.amount)),
    before: BigInt(Number(line.balance_before)),
    after: BigInt(Number(line.balance_after)),
  }));
}

/** Creates, tops up and deletes at once, more than the account can pay; refusals are part of it. */
async function spendAll(user: ApiClient): Promise<void> {
  const ids = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const { status, body } = await user.post('/canister/create', { name: `c${index}` });
      if (status === 200) return (body.data as { canister_id: string }).canister_id;
      expect(body.code).toBe('insufficient_balance');
      return undefined;
    }),
  );
  const mine = ids.filter((id) => id !== undefined);
  expect(mine).toHaveLength(4);
  for (const half of [mine.slice(0, 2), mine.slice(2)]) {
    const answers = await Promise.all(
      half.flatMap((id) => [
        user.post('/canister/stop', { canister_id: id }),
        user.post('/canister/topup', { canister_id: id, amount: 0.37 }),
        user.post('/canister/delete', { canister_id: id }),
      ]),
    );
    for (const { status, body } of answers) {
      if (status === 200) continue;
      expect(['canister_busy', 'canister_not_stopped', 'insufficient_balance', 'not_found']).toContain(
        body.code,
      );
    }
    await Promise.all(half.map((id) => user.post('/canister/stop', { canister_id: id })));
    await Promise.all(
      half
        .slice(1)
        .flatMap((id) => [
          user.post('/canister/delete', { canister_id: id }),
          user.post('/canister/topup', { canister_id: id, amount: 0.01 }),
          user.post('/canister/delete', { canister_id: id }),
        ]),
    );
    // Whatever won, the last one is gone in the end.
    await user.post('/canister/delete', { canister_id: half.at(-1) });
  }
}

test('[TX-09] many users create, top up and delete at once: no overspending, and every line continues the one before', async () => {
  await Promise.all(users.map(spendAll));
  for (const user of users) {
    const { body } = await user.get('/getInsights/');
    const balance = BigInt(String(body.balance_exact));
    const lines = await historyOf(user);
    let running = 0n;
    for (const { type, amount, before, after } of lines) {
      expect(before).toBe(running);
      running += type === 'CREDIT' ? amount : -amount;
      expect(after).toBe(running);
      expect(running).toBeGreaterThanOrEqual(0n);
    }
    expect(running).toBe(balance);

    // What has left the account is on the canisters that are left: not a cycle more, not a cycle less.
    const list = await user.list('/canister/list/');
    const states = await Promise.all(list.map(({ id }) => user.get(`/canister/status/${id}?real_time=true`)));
    const onCanisters = states.reduce((sum, state) => sum + BigInt(String(state.body.cycles_exact)), 0n);
    expect(balance + onCanisters).toBe(OPENING);
    expect(lines.filter(({ type }) => type === 'CREDIT').length).toBeGreaterThan(1);
  }
});
