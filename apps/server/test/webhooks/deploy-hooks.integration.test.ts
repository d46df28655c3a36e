import type { DeployHook, DeployInstanceAnswer } from '@cannery/contract';
import { type GitServer, startGitServer } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { deliveryOf, type HookUnderTest, hookHosts, pushBody, pushTo } from './hook-deliveries.ts';
import { openWire, type Wire, type WireAnswer, type WireCall } from '../support/wire.ts';

let outside: GitServer;
let client: DeployClient;
let wire: Wire;

beforeAll(async () => {
  outside = await startGitServer();
  await outside.commit('flour/mill', { 'index.html': 'the first page' });
  client = await startDeployClient({
    env: { GIT_HOSTS: outside.host, EGRESS_PRIVATE_HOSTS: outside.host, GIT_CA_FILE: outside.caFile },
  });
  wire = openWire(client.product.url);
}, 120_000);
afterAll(async () => {
  wire?.close();
  await client?.dispose();
  await outside?.close();
});

const send = (call: WireCall): Promise<WireAnswer> => wire.send(call);
const hookOf = async (id: string): Promise<DeployHook | null> =>
  (await client.ada.call<{ hook: DeployHook | null }>('GET', `/deploy/${id}/hook`)).hook;

async function runs(id: string): Promise<DeployInstanceAnswer[]> {
  return (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)).data;
}

/** A deploy of the repository elsewhere, with its webhook switched on. */
async function hooked(settings: Record<string, string> = {}): Promise<HookUnderTest & { id: string }> {
  const id = await client.create('mill', 'STATIC_SITE', { url: `${outside.url}/flour/mill`, ...settings });
  return { id, ...(await client.ada.call<HookUnderTest>('POST', `/deploy/${id}/hook`)) };
}

test.each(hookHosts)(
  'a push at %s starts a run, which builds the newest commit of the branch',
  async (host) => {
    const hook = await hooked();
    const text = `the page of ${host}`;
    await outside.commit('flour/mill', { 'index.html': text }, 'New page');
    const answer = await send(pushTo(hook, host));
    expect([answer.status, answer.text]).toEqual([200, '{"message":"The push to main has started a run."}']);
    const [run, ...others] = await runs(hook.id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ trigger_by: 'PUSH' });
    const ended = await client.finished(hook.id, run?.id ?? '');
    // The body named another commit: what is built is what the git host has.
    expect(ended).toMatchObject({ status: 'COMPLETED', commit_message: 'New page' });
    expect((await client.page(hook.id)).text).toBe(text);
    expect(await hookOf(hook.id)).toMatchObject({
      last_delivery: 'run',
      last_delivery_at: expect.any(String),
    });
  },
);

test.each(hookHosts)(
  'a test, a push elsewhere and a deleted branch at %s start none, and are answered 202',
  async (host) => {
    const hook = await hooked();
    expect(await hookOf(hook.id)).toMatchObject({ last_delivery: null, last_delivery_at: null });
    const calls = [
      deliveryOf(hook, { host, event: 'ping', body: '{"zen":"Keep it logically awesome.","hook_id":1}' }),
      deliveryOf(hook, { host, event: 'Issue Hook', body: pushBody(host, { ref: 'refs/heads/main' }) }),
      pushTo(hook, host, { ref: 'refs/heads/elsewhere' }),
      pushTo(hook, host, { ref: 'refs/heads/main/more' }),
      pushTo(hook, host, { ref: 'refs/tags/main' }),
      pushTo(hook, host, { ref: 'refs/heads/main', after: '0'.repeat(40) }),
    ];
    for (const call of calls) {
      const answer = await send(call);
      expect(answer.status, answer.text).toBe(202);
      expect(answer.text).toBe('{"message":"Received. Only a push to main starts a run."}');
    }
    expect(await runs(hook.id)).toEqual([]);
    expect(await hookOf(hook.id)).toMatchObject({ last_delivery: 'other' });
  },
);

test.each(hookHosts)('a push at %s whose message says so starts no run', async (host) => {
  const hook = await hooked();
  const ref = 'refs/heads/main';
  const skipped = await send(pushTo(hook, host, { ref, message: 'Fix a typo\n\n[skip ci]' }));
  expect([skipped.status, skipped.text]).toEqual([
    202,
    '{"message":"Received. The message of the newest commit has [skip ci], so no run starts."}',
  ]);
  expect(await runs(hook.id)).toEqual([]);
  expect(await hookOf(hook.id)).toMatchObject({ last_delivery: 'other' });
  expect((await send(pushTo(hook, host, { ref, message: 'No skip ci' }))).status).toBe(200);
  expect(await runs(hook.id)).toHaveLength(1);
});

test('GitHub and Gitea may send their JSON in a form, as they do when nobody has changed that', async () => {
  const hook = await hooked();
  const body = `payload=${encodeURIComponent(pushBody('GitHub', { ref: 'refs/heads/main' }))}`;
  const type = 'application/x-www-form-urlencoded';
  expect((await send(deliveryOf(hook, { host: 'GitHub', body, type }))).status).toBe(200);
  expect(await runs(hook.id)).toHaveLength(1);
});

test('an address with the character NUL is that of no webhook, and no fault of the server', async () => {
  const hook = await hooked();
  const delivery = deliveryOf({ ...hook, address: `${hook.address}%00` }, { host: 'GitHub', body: '{}' });
  expect((await send(delivery)).status).toBe(400);
});

test('a deploy of a repository of this console has no webhook, and is told what it has', async () => {
  await client.push('own', { 'index.html': 'own' });
  const id = await client.create('own', 'STATIC_SITE');
  await expect(client.ada.call('POST', `/deploy/${id}/hook`)).rejects.toThrow(/needs no webhook/);
  expect(await hookOf(id)).toBeNull();
});

test('kill -9 after the answer loses no run, and the delivery that comes again starts no second one', async () => {
  const hook = await hooked({ build_command: 'sleep 2' });
  const call = pushTo(hook, 'Gitea');
  expect((await send(call)).status).toBe(200);
  await client.product.kill();
  await client.product.restart();
  const again = await send(call);
  expect([again.status, again.text]).toEqual([
    200,
    '{"message":"This delivery was received before. It starts no second run."}',
  ]);
  const [run, ...others] = await runs(hook.id);
  expect(others).toEqual([]);
  expect(await client.finished(hook.id, run?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
  expect(await runs(hook.id)).toHaveLength(1);
});
