import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { management } from '../../../../packages/network/test/agent.ts';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';
import { certifiedPage } from './sample-page.ts';

const done = IDL.Variant({ ok: IDL.Null, err: IDL.Text });
const status = IDL.Record({
  name: IDL.Text,
  canister: IDL.Principal,
  up: IDL.Opt(IDL.Bool),
  found: IDL.Text,
  uptime_percent: IDL.Float64,
});
const interfaceOf: IDL.InterfaceFactory = () =>
  IDL.Service({
    add: IDL.Func([IDL.Text, IDL.Principal], [done], []),
    remove: IDL.Func([IDL.Text], [IDL.Bool], []),
    statuses: IDL.Func([], [IDL.Vec(status)], ['query']),
    check_now: IDL.Func([], [done], []),
  });

type Done = { ok: null } | { err: string };
interface StatusPage {
  add(name: string, canister: Principal): Promise<Done>;
  remove(name: string): Promise<boolean>;
  statuses(): Promise<{ name: string; up: [] | [boolean]; found: string; uptime_percent: number }[]>;
  check_now(): Promise<Done>;
}

const PERIOD_S = 10;
const SECOND = 1_000_000_000n;
const init = IDL.Opt(IDL.Record({ title: IDL.Text, period_seconds: IDL.Nat }));
const argument = new Uint8Array(
  IDL.encode([init], [[{ title: 'Our <sites>', period_seconds: BigInt(PERIOD_S) }]]),
);

let sample: SampleCanister;
beforeAll(async () => {
  sample = await startSample('status-page', argument);
}, START_MS);
afterAll(() => sample.close());

test('the timer asks the canisters and writes the certified page, also after an upgrade', async () => {
  const [page, stranger] = await Promise.all([
    sample.actor<StatusPage>(interfaceOf, sample.controller),
    sample.actor<StatusPage>(interfaceOf, Ed25519KeyIdentity.generate()),
  ]);
  const site = await sample.install(argument);
  expect(await stranger.add('Site', site)).toEqual({ err: expect.stringContaining('Only a controller') });
  expect(await page.add('Site <1>', site)).toEqual({ ok: null });
  expect(await page.add('Site <1>', site)).toEqual({ err: 'This name is taken.' });
  // The management canister serves no pages.
  expect(await page.add('No site', Principal.managementCanister())).toEqual({ ok: null });
  expect(
    await page.add('Gone', Principal.fromUint8Array(new Uint8Array([0, 0, 0, 0, 0, 16, 255, 255, 1, 1]))),
  ).toEqual({
    ok: null,
  });
  expect((await certifiedPage(sample, '/')).body).toContain('Not checked yet');

  const ups = async (): Promise<unknown[]> => (await page.statuses()).map(({ up }) => up[0]);
  await sample.network.advanceTime(BigInt(PERIOD_S + 1) * SECOND);
  await expect.poll(ups).toEqual([true, false, false]);
  const { body } = await certifiedPage(sample, '/');
  expect(body).toContain('<h1>Our &lt;sites&gt;</h1>');
  expect(body).toContain('Site &lt;1&gt;');
  expect(body).toContain('2 of 3 do not answer.');
  expect(body).toContain('status 200');

  await sample.upgrade('1.1.0');
  expect(await ups()).toEqual([true, false, false]);
  expect(await page.remove('No site')).toBe(true);
  expect(await stranger.remove('Gone')).toBe(false);
  const ic = management(await sample.agent(sample.controller));
  await ic.stop_canister({ canister_id: site });
  await sample.network.advanceTime(BigInt(PERIOD_S + 1) * SECOND);
  await expect.poll(ups).toEqual([false, false]);
  await ic.start_canister({ canister_id: site });
  expect(await stranger.check_now()).toEqual({ err: expect.stringContaining('Only a controller') });
  expect(await page.check_now()).toEqual({ ok: null });
  const [first] = await page.statuses();
  expect(first).toMatchObject({ up: [true], found: 'status 200' });
  expect(first?.uptime_percent).toBeLessThan(100);
  expect((await certifiedPage(sample, '/')).body).toContain('1 of 2 does not answer.');
});
