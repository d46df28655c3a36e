import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { deliveryOf, type HookUnderTest, hookHosts, pushTo } from './hook-deliveries.ts';
import { type HookWorld, openHookWorld } from './hook-world.ts';
import type { WireAnswer, WireCall } from '../support/wire.ts';

let world: HookWorld;
beforeAll(async () => {
  world = await openHookWorld();
});
afterAll(() => world?.close());

const without = (call: WireCall, ...names: string[]): WireCall => ({
  ...call,
  headers: Object.fromEntries(Object.entries(call.headers ?? {}).filter(([name]) => !names.includes(name))),
});
const withHeaders = (call: WireCall, headers: Record<string, string>): WireCall => ({
  ...call,
  headers: { ...call.headers, ...headers },
});

describe('a delivery that comes again starts one run', () => {
  test.each(hookHosts)('%s: at once, later, and with what nobody has signed changed', async (host) => {
    const hook = await world.hooked();
    const call = pushTo(hook, host);
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.wire.send(call)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const first = await world.runsOf(hook);
    expect(first).toHaveLength(1);
    await world.endRuns(hook);
    expect((await world.wire.send(call)).text).toContain('was received before');
    if (host !== 'GitLab' && host !== 'Bitbucket') {
      const names = ['x-github-delivery', 'x-gitea-delivery', 'x-forgejo-delivery'];
      const other = Object.fromEntries(names.map((name) => [name, randomUUID()]));
      expect((await world.wire.send(withHeaders(call, other))).text).toContain('was received before');
      expect((await world.wire.send(without(call, ...names))).text).toContain('was received before');
    }
    expect(await world.runsOf(hook)).toEqual(first);
    // The next push is another delivery.
    expect((await world.wire.send(pushTo(hook, host))).text).toContain('has started a run');
    expect(await world.runsOf(hook)).toHaveLength(2);
  });

  test('GitLab names a delivery the same when it sends it again, whatever its event is called', async () => {
    const hook = await world.hooked();
    const key = { 'idempotency-key': randomUUID() };
    const again = (): WireCall => withHeaders(pushTo(hook, 'GitLab'), key);
    expect((await world.wire.send(again())).text).toContain('has started a run');
    await world.endRuns(hook);
    expect((await world.wire.send(again())).text).toContain('was received before');
    expect(await world.runsOf(hook)).toHaveLength(1);
  });
});

describe('the end of a webhook', () => {
  const statusOf = async (hook: HookUnderTest): Promise<number> =>
    (await world.wire.send(pushTo(hook, 'Gitea'))).status;

  test('a new secret ends the one before it, at the same address', async () => {
    const before = await world.hooked();
    expect(await statusOf(before)).toBe(200);
    const { body } = await world.ada.post(`/deploy/${before.deploy}/hook`, {});
    expect(body).toMatchObject({ address: before.address, last_delivery: null });
    expect(body.secret).not.toBe(before.secret);
    expect(await statusOf(before)).toBe(404);
    expect(await statusOf({ ...before, secret: String(body.secret) })).toBe(200);
  });

  test('switched off, it is gone; switched on, it is another one', async () => {
    const before = await world.hooked();
    expect((await world.ada.delete(`/deploy/${before.deploy}/hook`)).status).toBe(200);
    expect(await statusOf(before)).toBe(404);
    expect((await world.ada.get(`/deploy/${before.deploy}/hook`)).body).toEqual({ hook: null });
    expect((await world.ada.delete(`/deploy/${before.deploy}/hook`)).status).toBe(200);
    const { body } = await world.ada.post(`/deploy/${before.deploy}/hook`, {});
    expect(body.address).not.toBe(before.address);
    expect(await statusOf(before)).toBe(404);
  });

  test('the deploy or its user is deleted', async () => {
    const one = await world.hooked();
    expect((await world.ada.delete(`/deploy/${one.deploy}`)).status).toBe(200);
    expect(await statusOf(one)).toBe(404);
    const leaver = await ApiClient.signIn(world.url, 'leaver');
    const other = await world.hooked(leaver);
    const { id } = (await leaver.get('/user/profile')).body;
    await world.db.deleteFrom('users').where('id', '=', String(id)).execute();
    expect(await statusOf(other)).toBe(404);
  });

  test('the secret was sealed by another key', async () => {
    const hook = await world.hooked();
    const id = hook.address.split('/').at(-1) ?? '';
    await world.db
      .updateTable('deploy_hooks')
      .set({ sealed: Buffer.alloc(71, 1) })
      .where('id', '=', id)
      .execute();
    expect(await statusOf(hook)).toBe(404);
  });
});

test('a push that finds too many runs in line is refused, and may come again', async () => {
  const eve = await ApiClient.signIn(world.url, 'eve');
  const hooks = await Promise.all(Array.from({ length: 21 }, () => world.hooked(eve)));
  const calls = hooks.map((hook) => pushTo(hook, 'GitHub'));
  const answers: WireAnswer[] = [];
  for (const call of calls) answers.push(await world.wire.send(call));
  expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), 400]);
  expect(answers[20]?.text).toContain('running or waiting');
  for (const hook of hooks) await world.endRuns(hook);
  const [again] = calls.slice(20);
  expect(again && (await world.wire.send(again)).text).toContain('has started a run');
});

test('one webhook that is called all the time is told to wait, and the others of its git host are not', async () => {
  const [busy, quiet] = [await world.hooked(), await world.hooked()];
  const call = deliveryOf(busy, { host: 'GitHub', event: 'ping', body: '{}' });
  const answers = await Promise.all(Array.from({ length: 130 }, () => world.wire.send(call)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(5);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(100);
  expect(refused[0]?.headers.join('\n').toLowerCase()).toContain('retry-after');
  expect((await world.wire.send(pushTo(quiet, 'GitHub'))).status).toBe(200);
});
