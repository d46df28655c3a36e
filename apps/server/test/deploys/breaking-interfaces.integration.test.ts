import type { DeployAnswer, DeployInstanceAnswer } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import { fetchCandid, HttpAgent } from '@icp-sdk/core/agent';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { ARTIFACTS_PER_DEPLOY: '2' } });
}, 120_000);
afterAll(() => client?.dispose());

const METHODS = {
  greet: 'public query func greet() : async Text { "hello" };',
  leave: 'public query func leave() : async Text { "goodbye" };',
  wave: 'public query func wave() : async Text { "wave" };',
} as const;
type Method = keyof typeof METHODS;

const actor = (methods: readonly Method[], variable = 'var count = 0;'): string =>
  `persistent actor { ${variable} ${methods.map((method) => METHODS[method]).join(' ')} }`;

const both: readonly Method[] = ['greet', 'leave'];

/** A deploy of one canister that has run once, with both methods. */
async function live(name: string, choice: string): Promise<string> {
  await client.push(name, { 'main.mo': actor(both) });
  const id = await client.create(name, 'MOTOKO');
  await client.ada.call('PATCH', `/deploy/${id}`, { breaking_changes: choice });
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  return id;
}

/** Module hash and interface of each canister of a deploy. */
async function facts(id: string): Promise<{ hash: string; candid: string }[]> {
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  return Promise.all(
    canisters.map(async (canister) => {
      const details = await client.ada.call<{ module_hash: string }>('GET', `/canister/details/${canister}`);
      const candid = await fetchCandid(canister, agent);
      return { hash: details.module_hash.replace(/^0x/, ''), candid };
    }),
  );
}

const runs = async (id: string): Promise<DeployInstanceAnswer[]> =>
  (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)).data;

const approve = async (id: string, run: string, api = client.ada): Promise<string> =>
  (await api.call<{ id: string }>('POST', `/deploy/${id}/instances/${run}/publish`, {})).id;

/** Hashes of what a run has built, as they are kept. */
async function keptHashes(run: string): Promise<string[]> {
  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  const { rows } = await database.query<{ canisters: { hash: string }[] }>(
    'select canisters from run_artifacts where instance_id = $1',
    [run],
  );
  await database.end();
  return rows.flatMap(({ canisters }) => canisters.map(({ hash }) => hash));
}

const REASON = /Nothing was changed, since callers .*Callers of \S+: .*leave/;

test('publish, the choice of a new deploy, tells what breaks and goes on', async () => {
  await client.push('open', { 'main.mo': actor(both) });
  const id = await client.create('open', 'MOTOKO');
  expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({ breaking_changes: 'publish' });
  await client.run(id);
  await client.push('open', { 'main.mo': actor(['greet']) });
  const run = await client.run(id);
  expect(run).toMatchObject({ status: 'COMPLETED', awaits_approval: false });
  expect(run.logs).toMatch(/Warning: callers of \S+ that expect its current interface may fail:\n.*leave/);
}, 120_000);

test('refuse changes nothing, says what breaks and keeps nothing to approve', async () => {
  const id = await live('strict', 'refuse');
  const before = await facts(id);
  await client.push('strict', { 'main.mo': actor(['greet']) });
  const run = await client.run(id);
  expect(run).toMatchObject({ status: 'FAILED', artifacts: null, awaits_approval: false });
  expect(run.logs).toMatch(REASON);
  expect(run.logs).toMatch(/Keep the interface compatible, or allow such a change/);
  expect(await facts(id)).toEqual(before);
  await expect(approve(id, run.id)).rejects.toThrow(/Only the newest run/);
  // A change that breaks nobody is published, and a rollback over it is never asked about.
  const [, first] = await runs(id);
  await client.push('strict', { 'main.mo': actor([...both, 'wave']) });
  expect((await client.run(id)).status).toBe('COMPLETED');
  const path = `/deploy/${id}/instances/${first?.id}/rollback`;
  const back = await client.finished(id, (await client.ada.call<{ id: string }>('POST', path, {})).id);
  expect(back.status, back.logs ?? '').toBe('COMPLETED');
  expect(await facts(id)).toEqual(before);
}, 180_000);

test('ask keeps what was refused, and its owner publishes exactly that, once', async () => {
  const id = await live('asked', 'ask');
  await client.push('asked', { 'main.mo': actor([...both, 'wave']) });
  const second = await client.run(id);
  const before = await facts(id);
  await client.push('asked', { 'main.mo': actor(['greet', 'wave']) });
  const refused = await client.run(id);
  expect(refused).toMatchObject({ status: 'FAILED', artifacts: null, awaits_approval: true });
  expect(refused.logs).toMatch(REASON);
  expect(refused.logs).toContain("choose 'Publish anyway'");
  expect(await facts(id)).toEqual(before);
  expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
    deployInstance: { id: refused.id, awaits_approval: true },
  });
  // Both packs that may be kept are those of the runs that succeeded.
  expect((await runs(id)).map(({ artifacts }) => artifacts !== null)).toEqual([false, true, true]);
  const rollback = `/deploy/${id}/instances/${refused.id}/rollback`;
  await expect(client.ada.call('POST', rollback, {})).rejects.toThrow(/has succeeded/);
  await expect(approve(id, second.id)).rejects.toThrow(/Only the newest run/);
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  expect((await bob.request('POST', `/deploy/${id}/instances/${refused.id}/publish`, {})).status).toBe(404);

  const built = await keptHashes(refused.id);
  // What is pushed meanwhile is not what was asked about.
  await client.push('asked', { 'main.mo': actor([]) });
  const [one, other] = await Promise.all([approve(id, refused.id), approve(id, refused.id)]);
  expect(other).toBe(one);
  const approved = await client.finished(id, one);
  expect(approved.status, approved.logs ?? '').toBe('COMPLETED');
  expect(approved).toMatchObject({
    trigger_by: 'APPROVAL',
    rollback_of: refused.id,
    commit_id: refused.commit_id,
    awaits_approval: false,
  });
  expect(approved.logs).toContain('nothing is built');
  const [now] = await facts(id);
  expect([now?.hash]).toEqual(built);
  expect(approved.artifacts?.map(({ hash }) => hash)).toEqual(built);
  expect(now?.hash).not.toBe(before[0]?.hash);
  expect(now?.candid).not.toContain('leave');
  expect(now?.candid).toContain('greet');
  expect(await approve(id, refused.id)).toBe(one);
  const all = await runs(id);
  expect(all).toHaveLength(4);
  expect(all.some(({ awaits_approval: awaits }) => awaits)).toBe(false);
}, 180_000);

test('a later run makes it void, and nobody can approve a run that would lose data', async () => {
  const id = await live('later', 'ask');
  const before = await facts(id);
  await client.push('later', { 'main.mo': actor(['greet']) });
  const first = await client.run(id);
  const second = await client.run(id);
  expect([first.awaits_approval, second.awaits_approval]).toEqual([true, true]);
  expect((await client.instance(id, first.id)).awaits_approval).toBe(false);
  await expect(approve(id, first.id)).rejects.toThrow(/Only the newest run/);

  await client.push('later', { 'main.mo': actor(['greet'], 'var count = "none";') });
  const lost = await client.run(id);
  expect(lost).toMatchObject({ status: 'FAILED', awaits_approval: false });
  expect(lost.logs).toMatch(/would lose data: .*count/);
  await expect(approve(id, lost.id)).rejects.toThrow(/Only the newest run/);
  await expect(approve(id, second.id)).rejects.toThrow(/Only the newest run/);
  expect(await facts(id)).toEqual(before);
}, 180_000);

test('of two canisters of which one breaks neither is changed', async () => {
  const project = (first: string, second: string): Record<string, string> => ({
    'dfx.json': JSON.stringify({ canisters: { first: { main: 'first.mo' }, second: { main: 'second.mo' } } }),
    'first.mo': first,
    'second.mo': second,
  });
  await client.push('pair', project(actor(both), actor(both)));
  const id = await client.create('pair', 'CUSTOM');
  await client.ada.call('PATCH', `/deploy/${id}`, { breaking_changes: 'ask' });
  const installed = await client.run(id);
  expect(installed.status, installed.logs ?? '').toBe('COMPLETED');
  const before = await facts(id);
  await client.push('pair', project(actor([...both, 'wave']), actor(['greet'])));
  const refused = await client.run(id);
  expect(refused.logs).toMatch(/Callers of second: .*leave/);
  expect(refused.logs).not.toContain('Callers of first');
  expect(await facts(id)).toEqual(before);
  const approved = await client.finished(id, await approve(id, refused.id));
  expect(approved.status, approved.logs ?? '').toBe('COMPLETED');
  const hashes = (await facts(id)).map(({ hash }) => hash).toSorted();
  expect(hashes).toEqual(approved.artifacts?.map(({ hash }) => hash).toSorted());
}, 180_000);
