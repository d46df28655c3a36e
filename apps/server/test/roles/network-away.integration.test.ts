import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CanisterSnapshot, DeployAnswer, DeployInstanceAnswer, HealthCall } from '@cannery/contract';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';

const T = 1_000_000_000_000n;
const OPENING_T = 60n;
const COST_T = 2n;
const WAITS = 'The network does not answer. Waiting for it, 90 s at most.';
const BACK = 'The network answers again.';
const AWAY_MS = 700;

let folder: string;
let network: Program;
let proxy: NetworkProxy;
let client: DeployClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-network-away-'));
  network = await startNetworkProgram(join(folder, 'network'));
  proxy = await startNetworkProxy(network.url);
  client = await startDeployClient({
    env: {
      IC_URL: proxy.url,
      OPENING_BALANCE_T: String(OPENING_T),
      SITE_PICTURES: 'off',
      RUST_TOOLCHAIN: 'off',
    },
  });
}, 120_000);
afterAll(async () => {
  await client?.dispose();
  await proxy?.close();
  await network?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

async function restartNetwork(): Promise<void> {
  await network.kill('SIGKILL');
  await delay(AWAY_MS);
  network = await startNetworkProgram(join(folder, 'network'), Number(new URL(network.url).port));
}

/** Kills the network each time when it has carried out the next of these methods and nobody has heard its answer. */
function losingAnswersOf(methods: readonly string[]): { readonly left: string[] } {
  const left = [...methods];
  const arm = (): void => {
    const [next] = left;
    proxy.heal();
    if (next === undefined) return;
    const cut = (): void => {
      left.shift();
      proxy.heal();
      // Nothing reaches it until it is back, so the next one is waited for only then.
      void restartNetwork().then(arm);
    };
    proxy.cutAt('after', cut, 0, next);
  };
  arm();
  return { left };
}

const times = (text: string | null, line: string): number => (text ?? '').split(line).length - 1;
const deployOf = (id: string): Promise<DeployAnswer> => client.ada.call('GET', `/deploy/${id}`);
const balance = async (): Promise<bigint> =>
  BigInt((await client.ada.call<{ balance_exact: string }>('GET', '/getInsights/')).balance_exact);
const cyclesOf = async (id: string): Promise<bigint> =>
  BigInt(
    (await client.ada.call<{ cycles_exact: string }>('GET', `/canister/status/${id}/?real_time=true`))
      .cycles_exact,
  );
const page = async (canister: string): Promise<string> =>
  (await fetch(`${network.url}/?canisterId=${canister}`)).text();
/** Canisters of a network have numbers, in the order in which they were made. */
const numberOf = (id: string): bigint =>
  Buffer.from(Principal.fromText(id).toUint8Array()).readBigUInt64BE(0);

const counter = (version: number): string => `persistent actor {
  var count = 0;
  public func countMe() : async Nat { count += 1; count };
  public query func version() : async Nat { ${version} };
}`;
const health = (count: number): { health_call: HealthCall } => ({
  health_call: { canister: '', method: 'countMe', argument: '()', expected: `(${count} : nat)`, deadline: 5 },
});

test('a run that publishes code goes on when answers are lost with the network: nothing is paid, taken or called twice', async () => {
  await client.push('counter', { 'main.mo': counter(1) });
  const id = await client.create('counter', 'MOTOKO');
  await client.ada.call('PATCH', `/deploy/${id}`, health(1));
  const first = losingAnswersOf(['provisional_create_canister_with_cycles', 'install_code', 'countMe']);
  const created = await client.run(id);
  expect(created.status, created.logs ?? '').toBe('COMPLETED');
  expect(first.left).toEqual([]);
  expect([times(created.logs, WAITS), times(created.logs, BACK)]).toEqual([3, 3]);
  const { canisters } = await deployOf(id);
  expect(canisters).toHaveLength(1);
  const [canister = ''] = canisters;
  expect(await balance()).toBe((OPENING_T - COST_T) * T);
  expect(await cyclesOf(canister)).toBe(COST_T * T);

  await client.push('counter', { 'main.mo': counter(2) });
  await client.ada.call('PATCH', `/deploy/${id}`, health(2));
  const second = losingAnswersOf([
    'stop_canister',
    'take_canister_snapshot',
    'install_code',
    'start_canister',
    'countMe',
  ]);
  const upgraded = await client.run(id);
  expect(upgraded.status, upgraded.logs ?? '').toBe('COMPLETED');
  expect(second.left).toEqual([]);
  expect(times(upgraded.logs, BACK)).toBe(5);
  const snapshots = await client.ada.call<CanisterSnapshot[]>('GET', `/canister/snapshots/${canister}`);
  expect(snapshots).toHaveLength(1);
  expect(await balance()).toBe((OPENING_T - COST_T) * T);
}, 120_000);

test('so does one that publishes a site, also behind a gateway that has lost the network; what the network made is what was paid for', async () => {
  const before = await balance();
  await client.push('site', { 'index.html': 'first', 'about.html': 'about' });
  const id = await client.create('site', 'STATIC_SITE');
  const losing = losingAnswersOf(['create_batch', 'create_chunks', 'commit_batch']);
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  expect(losing.left).toEqual([]);
  expect(times(run.logs, BACK)).toBe(3);
  const [site = ''] = (await deployOf(id)).canisters;
  expect(await page(site)).toBe('first');
  expect(await balance()).toBe(before - COST_T * T);

  await client.push('site', { 'index.html': 'second' });
  proxy.cutAt(
    'before',
    () => {
      proxy.heal();
      proxy.refuse(502);
      void delay(AWAY_MS).then(() => {
        proxy.refuse(503);
        return delay(AWAY_MS).then(() => proxy.heal());
      });
    },
    0,
    'commit_batch',
  );
  const again = await client.run(id);
  expect(again.status, again.logs ?? '').toBe('COMPLETED');
  expect([times(again.logs, WAITS), times(again.logs, BACK)]).toEqual([1, 1]);
  expect(await page(site)).toBe('second');

  // No canister was made for nobody.
  const one = await client.ada.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'last',
  });
  const all = await client.ada.call<{ id: string }[]>('GET', '/canister/list/');
  const numbers = all.map((each) => numberOf(each.id)).toSorted((a, b) => Number(a - b));
  expect(numbers.at(-1)).toBe(numberOf(one.data.canister_id));
  expect((numbers.at(-1) ?? 0n) - (numbers[0] ?? 0n)).toBe(BigInt(numbers.length - 1));
}, 120_000);

test('a run that waits is cancelled at once, and what was live stays so', async () => {
  await client.push('kept', { 'index.html': 'live' });
  const id = await client.create('kept', 'STATIC_SITE');
  const first = await client.run(id);
  expect(first.status, first.logs ?? '').toBe('COMPLETED');
  const [site = ''] = (await deployOf(id)).canisters;
  await client.push('kept', { 'index.html': 'never' });
  let killed: Promise<unknown> = Promise.resolve();
  proxy.cutAt(
    'before',
    () => {
      proxy.heal();
      killed = network.kill('SIGKILL');
    },
    0,
    'commit_batch',
  );
  const instance = await client.trigger(id);
  const look = (): Promise<DeployInstanceAnswer> => client.instance(id, instance);
  await expect.poll(async () => (await look()).logs, { timeout: 30_000, interval: 100 }).toContain(WAITS);
  await killed;
  const start = performance.now();
  await client.ada.call('POST', `/deploy/${id}/instances/${instance}/cancel`, {});
  const ended = await client.finished(id, instance);
  expect(ended.status).toBe('FAILED');
  expect(ended.logs).toContain('Cancelled by ada.');
  expect(ended.logs).not.toContain(BACK);
  expect(performance.now() - start).toBeLessThan(10_000);
  network = await startNetworkProgram(join(folder, 'network'), Number(new URL(network.url).port));
  expect(await page(site)).toBe('live');
}, 120_000);
