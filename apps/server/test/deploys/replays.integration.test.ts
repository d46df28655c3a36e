import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Canister, Transaction } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

const AT_ONCE = 40;
const IN_SEQUENCE = 10;
const T = 1_000_000_000_000n;

let dataDir: string;
let client: DeployClient;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-replays-'));
  // All requests come from one user within seconds.
  client = await startDeployClient({ dataDir, env: { RATE_LIMIT: '100000' } });
});
afterAll(async () => {
  await client.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

async function balance(): Promise<bigint> {
  return BigInt((await client.ada.call<{ balance_exact: string }>('GET', '/getInsights/')).balance_exact);
}

const payments = (): Promise<Transaction[]> => client.ada.call('GET', '/transactions/');

/**
 * Sends a request a hundred times under one key: at once and one by one, before a kill -9 of everything and after it.
 * @returns the different answers
 */
async function hundred(path: string, body: object, pick: (answer: unknown) => unknown): Promise<unknown[]> {
  const key = crypto.randomUUID();
  const answers: string[] = [];
  const send = async (): Promise<void> => {
    const { status, body: answer } = await client.ada.request('POST', path, body, { 'idempotency-key': key });
    answers.push(JSON.stringify([status, status === 200 ? pick(answer) : answer]));
  };
  for (const half of ['before', 'after']) {
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    for (let sent = 0; sent < IN_SEQUENCE; sent += 1) await send();
    if (half === 'before') {
      await client.product.kill();
      await client.product.restart();
    }
  }
  expect(answers).toHaveLength(2 * (AT_ONCE + IN_SEQUENCE));
  return [...new Set(answers)].map((answer) => JSON.parse(answer) as unknown);
}

test('[R4] a creation sent a hundred times under one key creates one canister', async () => {
  const before = await balance();
  const answers = await hundred('/canister/create', { name: 'Once' }, (answer) => {
    return (answer as { data: { canister_id: string } }).data.canister_id;
  });
  const canisters = await client.ada.call<Canister[]>('GET', '/canister/list/');
  expect(canisters).toHaveLength(1);
  expect(answers).toEqual([[200, canisters[0]?.id]]);
  const paid = (await payments()).filter((one) => one.transaction_name === 'CANISTER_CREATE');
  expect(paid).toHaveLength(1);
  expect(before - (await balance())).toBe(BigInt(paid[0]?.amount ?? 0));
});

test('[R4] a top-up sent a hundred times under one key is paid once', async () => {
  const [canister] = await client.ada.call<Canister[]>('GET', '/canister/list/');
  const before = await balance();
  const body = { canister_id: canister?.id, amount: 1.25 };
  const answers = await hundred('/canister/topup', body, (answer) => (answer as { message: string }).message);
  expect(answers).toHaveLength(1);
  expect(answers[0]).toEqual([200, expect.any(String)]);
  expect(before - (await balance())).toBe((5n * T) / 4n);
  const paid = (await payments()).filter((one) => one.transaction_name === 'CANISTER_TOPUP');
  expect(paid).toHaveLength(1);
});

test('[R4] a trigger sent a hundred times under one key starts one run', async () => {
  await client.push('once', { 'index.html': 'once' });
  const id = await client.create('once', 'STATIC_SITE');
  const answers = await hundred(`/deploy/${id}/trigger`, {}, (answer) => (answer as { id: string }).id);
  const { data: runs } = await client.ada.call<{ data: { id: string }[] }>('GET', `/deploy/${id}/instances`);
  expect(runs).toHaveLength(1);
  expect(answers).toEqual([[200, runs[0]?.id]]);
  expect((await client.finished(id, runs[0]?.id ?? '')).status).toBe('COMPLETED');
});

test('[R4] [DEP-18] a deploy whose creation is sent a hundred times under one key is created once', async () => {
  await client.push('made-once', { 'index.html': 'once' });
  const body = { name: 'Made once', branch: 'main', owner: 'ada', repo_name: 'made-once' };
  const answers = await hundred('/deploy', body, (answer) => (answer as { id: string }).id);
  const deploys = await client.ada.call<{ id: string; name: string }[]>('GET', '/deploy');
  const made = deploys.filter(({ name }) => name === 'Made once');
  expect(made).toHaveLength(1);
  expect(answers).toEqual([[200, made[0]?.id]]);
});
