import { setTimeout as delay } from 'node:timers/promises';
import type { DeployAnswer, DeployInstanceAnswer, RunComparison } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { ARTIFACTS_PER_DEPLOY: '40', ARTIFACT_MB: '3' } });
}, 120_000);
afterAll(() => client?.dispose());

const site = (text: string, more: Record<string, string> = {}): Record<string, string> => ({
  'index.html': text,
  ...more,
});
const deployOf = (id: string): Promise<DeployAnswer> => client.ada.call('GET', `/deploy/${id}`);
const live = async (id: string): Promise<string | null | undefined> => (await deployOf(id)).live_run;
const runs = async (id: string): Promise<DeployInstanceAnswer[]> =>
  (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)).data;
const act = (id: string, run: string, what: string): Promise<{ id: string }> =>
  client.ada.call('POST', `/deploy/${id}/instances/${run}/${what}`, {});

/** A deploy of a site that was published twice, and its two runs. */
async function twice(name: string): Promise<{ id: string; one: string; two: string }> {
  await client.push(name, site('one'));
  const id = await client.create(name, 'STATIC_SITE');
  const one = await client.run(id);
  await client.push(name, site('two'));
  const two = await client.run(id);
  expect([one.status, two.status]).toEqual(['COMPLETED', 'COMPLETED']);
  return { id, one: one.id, two: two.id };
}

/** Waits until no run of a deploy is under way. */
async function settled(id: string): Promise<DeployInstanceAnswer[]> {
  for (;;) {
    const all = await runs(id);
    if (all.every(({ status }) => status === 'COMPLETED' || status === 'FAILED')) return all;
    await delay(50);
  }
}

test('[DEPD-11] which run is live is recorded: it moves with success, and neither with failure nor by order', async () => {
  await client.push('served', site('one'));
  const id = await client.create('served', 'STATIC_SITE');
  expect(await live(id)).toBeNull();
  const one = await client.run(id);
  expect(await live(id)).toBe(one.id);
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'exit 1' });
  expect((await client.run(id)).status).toBe('FAILED');
  expect(await live(id)).toBe(one.id);
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: '' });
  await client.push('served', site('two'));
  const two = await client.run(id);
  expect(await live(id)).toBe(two.id);
  const back = await client.finished(id, (await act(id, one.id, 'rollback')).id);
  expect(await live(id)).toBe(back.id);
  expect((await client.page(id)).text).toBe('one');
  expect(
    (await client.ada.call<DeployAnswer[]>('GET', '/deploy')).find((one) => one.id === id)?.live_run,
  ).toBe(back.id);
}, 120_000);

test('a rollback that has gone live is undone: what was live before is published again', async () => {
  const { id, one, two } = await twice('undone');
  const back = await client.finished(id, (await act(id, one, 'rollback')).id);
  expect((await client.page(id)).text).toBe('one');
  const undo = await client.finished(id, (await act(id, back.id, 'undo')).id);
  expect(undo).toMatchObject({ status: 'COMPLETED', trigger_by: 'ROLLBACK', rollback_of: two });
  expect((await client.page(id)).text).toBe('two');
  expect(await live(id)).toBe(undo.id);
  // It is not the newest any more.
  await expect(act(id, back.id, 'undo')).rejects.toThrow(/Another run has come/);
  await expect(act(id, two, 'undo')).rejects.toThrow(/Only a rollback/);
  // Redo: the undo is a rollback as well.
  await client.finished(id, (await act(id, undo.id, 'undo')).id);
  expect((await client.page(id)).text).toBe('one');
}, 120_000);

test('a rollback that has not begun is cancelled by its undo, and nothing else happens', async () => {
  const { id, one } = await twice('waiting');
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'sleep 4' });
  const running = await client.trigger(id);
  await vi.waitFor(async () => expect((await client.instance(id, running)).status).toBe('RUNNING'), {
    timeout: 20_000,
  });
  const back = await act(id, one, 'rollback');
  expect((await act(id, back.id, 'undo')).id).toBe(back.id);
  expect(await client.instance(id, back.id)).toMatchObject({ status: 'FAILED', logs: 'Cancelled by ada.' });
  expect((await settled(id)).map(({ trigger_by }) => trigger_by)).toEqual([
    'ROLLBACK',
    'MANUAL',
    'MANUAL',
    'MANUAL',
  ]);
  expect((await client.page(id)).text).toBe('two');
  expect(await live(id)).toBe(running);
}, 120_000);

test('whenever a rollback is undone, what was live before is live in the end', async () => {
  const { id, one } = await twice('anytime');
  const seen: string[] = [];
  for (const wait of [0, 20, 40, 80, 150, 300, 1_500]) {
    const back = await act(id, one, 'rollback');
    await delay(wait);
    seen.push((await client.instance(id, back.id)).status);
    const undo = await act(id, back.id, 'undo');
    await settled(id);
    expect((await client.page(id)).text, `after ${wait} ms`).toBe('two');
    const served = await client.instance(id, (await live(id)) ?? '');
    expect(served.status).toBe('COMPLETED');
    expect(served.id).not.toBe(back.id);
    if (undo.id !== back.id) expect(served.id).toBe(undo.id);
  }
  expect(seen.at(-1)).toBe('COMPLETED');
}, 240_000);

test('where what was live is not kept, an undo changes nothing', async () => {
  await client.push('lost', site('one'));
  const id = await client.create('lost', 'STATIC_SITE');
  const one = await client.run(id);
  await client.push('lost', site('two', { 'large.bin': 'x'.repeat(3_200_000) }));
  expect((await client.run(id)).artifacts).toBeNull();
  const back = await client.finished(id, (await act(id, one.id, 'rollback')).id);
  await expect(act(id, back.id, 'undo')).rejects.toThrow(/is not kept, so it cannot be put back/);
  expect(await runs(id)).toHaveLength(3);
  expect(await live(id)).toBe(back.id);
}, 120_000);

test('the commit of an earlier run is built again with the settings of today, wherever the branch is', async () => {
  await client.push('again', site('one'));
  const id = await client.create('again', 'STATIC_SITE');
  const first = await client.run(id);
  expect(first.commit_sha).toMatch(/^[0-9a-f]{40}$/);
  await client.push('again', site('two'));
  await client.run(id);
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'echo built >> index.html' });
  const again = await client.finished(id, (await act(id, first.id, 'redeploy')).id);
  expect(again).toMatchObject({
    status: 'COMPLETED',
    trigger_by: 'REDEPLOY',
    commit_sha: first.commit_sha,
    commit_message: first.commit_message,
    rollback_of: null,
  });
  expect(again.logs).toContain(
    `Checking out the commit ${first.commit_id}, as an earlier run did, of ada/again`,
  );
  expect((await client.page(id)).text).toBe('onebuilt\n');
  // A redeploy of a redeploy is one as well, and an ordinary run builds what the branch has.
  expect((await client.finished(id, (await act(id, again.id, 'redeploy')).id)).commit_sha).toBe(
    first.commit_sha,
  );
  await client.run(id);
  expect((await client.page(id)).text).toBe('twobuilt\n');
}, 120_000);

test('a redeploy is no run of the branch: neither joins the other in line, and two of one commit are one', async () => {
  const { id, one, two } = await twice('line');
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'sleep 3' });
  const running = await client.trigger(id);
  const [a, b, c, d] = [
    await act(id, one, 'redeploy'),
    await act(id, two, 'redeploy'),
    await act(id, one, 'redeploy'),
    { id: await client.trigger(id) },
  ];
  expect(c.id).toBe(a.id);
  expect(new Set([running, a.id, b.id, d.id]).size).toBe(4);
  for (const run of [a, b, d]) await act(id, run.id, 'cancel');
  await settled(id);
}, 120_000);

test('a run is compared with what is live, by the files of their commits', async () => {
  await client.push('compared', site('one', { 'gone.txt': 'x', 'same.txt': 'x', 'odd\n<b>.txt': 'x' }));
  const id = await client.create('compared', 'STATIC_SITE');
  const one = await client.run(id);
  await client.push('compared', site('two', { 'new.txt': 'x', 'same.txt': 'x', 'odd\n<b>.txt': 'x' }));
  const two = await client.run(id);
  const compare = (run: string) =>
    client.ada.call<RunComparison>('GET', `/deploy/${id}/instances/${run}/comparison`);
  const told = await compare(one.id);
  expect(told).toMatchObject({ from: two.commit_sha, to: one.commit_sha, owner: 'ada', repo: 'compared' });
  expect(told.files?.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'gone.txt', change: 'added' },
    { path: 'index.html', change: 'changed' },
    { path: 'new.txt', change: 'removed' },
  ]);
  expect((await compare(two.id)).files).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`many/${n}.txt`, 'x']));
  await client.push('compared', site('three', many));
  const three = await client.run(id);
  await client.finished(id, (await act(id, two.id, 'rollback')).id);
  expect(await compare(three.id)).toMatchObject({ more_files: true });
}, 120_000);

test('somebody else may do none of it', async () => {
  const { id, one } = await twice('private');
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  const back = await client.finished(id, (await act(id, one, 'rollback')).id);
  for (const path of [`${back.id}/undo`, `${one}/redeploy`])
    await expect(bob.call('POST', `/deploy/${id}/instances/${path}`, {})).rejects.toThrow(/not found/i);
  await expect(bob.call('GET', `/deploy/${id}/instances/${one}/comparison`)).rejects.toThrow(/not found/i);
  expect(await runs(id)).toHaveLength(3);
}, 120_000);
