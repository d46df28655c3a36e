import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { ARTIFACTS_PER_DEPLOY: '3', ARTIFACT_MB: '3' } });
}, 120_000);
afterAll(() => client?.dispose());

async function rollBack(id: string, to: string): Promise<DeployInstanceAnswer> {
  const path = `/deploy/${id}/instances/${to}/rollback`;
  return client.finished(id, (await client.ada.call<{ id: string }>('POST', path, {})).id);
}

async function runs(id: string): Promise<DeployInstanceAnswer[]> {
  const path = `/deploy/${id}/instances`;
  return (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', path)).data;
}

const site = (text: string, more: Record<string, string> = {}): Record<string, string> => ({
  'index.html': `<p>${text}</p>`,
  '.ic-assets.json5': JSON.stringify([{ match: '**/*', headers: { 'X-Edition': text } }]),
  ...more,
});

async function edition(id: string, path = '/'): Promise<unknown[]> {
  const { canisters } = await client.ada.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const answer = await fetch(`${client.product.networkUrl}${path}?canisterId=${canisters[0]}`);
  return [answer.status, await answer.text(), answer.headers.get('x-edition')];
}

test('a website is put back to an earlier run, files and headers, without a build', async () => {
  await client.push('pages', site('one', { 'only-first.txt': 'first' }));
  const id = await client.create('pages', 'STATIC_SITE', { build_command: 'date +%N > made.txt' });
  const first = await client.run(id);
  const made = await edition(id, '/made.txt');
  expect(first.artifacts).toMatchObject([{ name: 'website', kind: 'site' }]);
  await client.push('pages', site('two'));
  const second = await client.run(id);
  expect(await edition(id)).toEqual([200, '<p>two</p>', 'two']);
  expect(second.artifacts?.[0]?.hash).not.toBe(first.artifacts?.[0]?.hash);

  const back = await rollBack(id, first.id);
  expect(back.status, back.logs ?? '').toBe('COMPLETED');
  expect(back).toMatchObject({
    trigger_by: 'ROLLBACK',
    rollback_of: first.id,
    commit_id: first.commit_id,
    commit_message: first.commit_message,
    artifacts: first.artifacts,
  });
  expect(await edition(id)).toEqual([200, '<p>one</p>', 'one']);
  expect(await edition(id, '/only-first.txt')).toEqual([200, 'first', 'one']);
  // The build command has not run again.
  expect(await edition(id, '/made.txt')).toEqual(made);
  // A rollback can itself be taken back, and be rolled back to.
  expect((await rollBack(id, second.id)).status).toBe('COMPLETED');
  expect(await edition(id)).toEqual([200, '<p>two</p>', 'two']);
  expect((await rollBack(id, back.id)).status).toBe('COMPLETED');
  expect(await edition(id)).toEqual([200, '<p>one</p>', 'one']);
  // Three runs of the deploy are kept, and nothing else can be rolled back to.
  const kept = (await runs(id)).map(({ artifacts }) => artifacts !== null);
  expect(kept).toEqual([true, true, true, false, false]);
  await expect(rollBack(id, second.id)).rejects.toThrow(/not kept any more/);
}, 120_000);

interface Counter {
  add(): Promise<bigint>;
  version(): Promise<string>;
}
const service: IDL.InterfaceFactory = ({ IDL: idl }) =>
  idl.Service({ add: idl.Func([], [idl.Nat], []), version: idl.Func([], [idl.Text], ['query']) });

const counter = (version: string, more = ''): string =>
  `persistent actor { var count = 0; ${more} public func add() : async Nat { count += 1; count }; public query func version() : async Text { "${version}" } }`;

test('a canister gets its earlier code back and keeps its data; a rollback that would lose data is refused', async () => {
  await client.push('counter', { 'main.mo': counter('one') });
  const id = await client.create('counter', 'MOTOKO');
  const first = await client.run(id);
  expect(first.status, first.logs ?? '').toBe('COMPLETED');
  const { canisters } = await client.ada.call<{ canisters: [string] }>('GET', `/deploy/${id}`);
  const [canisterId] = canisters;
  const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  const actor = Actor.createActor(service, { agent, canisterId }) as unknown as Counter;
  expect(await actor.add()).toBe(1n);

  await client.push('counter', { 'main.mo': counter('two') });
  expect((await client.run(id)).status).toBe('COMPLETED');
  expect([await actor.version(), await actor.add()]).toEqual(['two', 2n]);
  const back = await rollBack(id, first.id);
  expect(back.status, back.logs ?? '').toBe('COMPLETED');
  expect([await actor.version(), await actor.add()]).toEqual(['one', 3n]);
  const details = await client.ada.call<{ module_hash: string }>('GET', `/canister/details/${canisterId}`);
  expect(back.artifacts?.[0]?.hash).toBe(details.module_hash.replace(/^0x/, ''));

  await client.push('counter', { 'main.mo': counter('three', 'var names = ["Ada"];') });
  expect((await client.run(id)).status).toBe('COMPLETED');
  const refused = await rollBack(id, back.id);
  expect(refused.status).toBe('FAILED');
  expect(refused.logs).toMatch(/Nothing was changed, since the upgrade of \S+ would lose data: .*names/);
  expect(await actor.version()).toBe('three');
  // It did not succeed, so nothing can be rolled back to it.
  expect(refused.artifacts).toBeNull();
  // Nor has it pushed out one of the three results that are kept.
  const kept = (await runs(id)).map(({ artifacts }) => artifacts !== null);
  expect(kept).toEqual([false, true, true, true, false]);
  await expect(rollBack(id, refused.id)).rejects.toThrow(/has succeeded/);
}, 180_000);

test('only the owner rolls back, to runs of the same deploy; a waiting run is not joined', async () => {
  await client.push('mine', site('one'));
  const id = await client.create('mine', 'STATIC_SITE', { build_command: 'sleep 2' });
  const first = await client.run(id);
  const other = await client.create('mine', 'STATIC_SITE', { name: 'Other' });
  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  const path = `/instances/${first.id}/rollback`;
  await expect(bob.call('POST', `/deploy/${id}${path}`, {})).rejects.toThrow(/not found/i);
  await expect(client.ada.call('POST', `/deploy/${other}${path}`, {})).rejects.toThrow(/not found/i);

  const running = await client.trigger(id);
  await vi.waitFor(async () => expect((await client.instance(id, running)).status).toBe('RUNNING'), 10_000);
  const waiting = await client.trigger(id);
  const back = await client.ada.call<{ id: string }>('POST', `/deploy/${id}${path}`, {});
  const again = await client.ada.call<{ id: string }>('POST', `/deploy/${id}${path}`, {});
  expect(new Set([running, waiting, back.id]).size).toBe(3);
  expect(again.id).toBe(back.id);
  expect((await client.finished(id, back.id)).trigger_by).toBe('ROLLBACK');
}, 120_000);

test('a run that publishes more than is kept says so, and a damaged artifact changes nothing', async () => {
  await client.push('large', site('one', { 'large.bin': 'x'.repeat(3_200_000) }));
  const id = await client.create('large', 'STATIC_SITE');
  const large = await client.run(id);
  expect(large.status).toBe('COMPLETED');
  expect(large.artifacts).toBeNull();
  expect(large.logs).toContain('This run cannot be rolled back to: it publishes more than the');

  await client.push('large', site('middle'));
  const second = await client.run(id);
  await client.push('large', site('three'));
  expect((await client.run(id)).status).toBe('COMPLETED');
  const [blob] = blobsWith('<p>middle</p>');
  expect(blob).toBeDefined();
  writeFileSync(blob ?? '', 'something else');
  const back = await rollBack(id, second.id);
  expect(back.status).toBe('FAILED');
  expect(back.logs).toContain('What that run has published is not kept any more.');
  expect(await edition(id)).toEqual([200, '<p>three</p>', 'three']);
}, 120_000);

test('a rollback that kill -9 cuts off is carried out after the restart', async () => {
  await client.push('killed', site('one'));
  const id = await client.create('killed', 'STATIC_SITE');
  const first = await client.run(id);
  await client.push('killed', site('two'));
  await client.run(id);
  const path = `/deploy/${id}/instances/${first.id}/rollback`;
  const back = await client.ada.call<{ id: string }>('POST', path, {});
  await client.product.kill();
  await client.product.restart();
  expect(await client.finished(id, back.id)).toMatchObject({
    status: 'COMPLETED',
    artifacts: first.artifacts,
  });
  expect(await edition(id)).toEqual([200, '<p>one</p>', 'one']);
}, 120_000);

/** Files of the blob store that hold a text. */
function blobsWith(text: string): string[] {
  const folder = join(client.product.dataDir, 'blobs');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path);
      expect(createHash('sha256').update(content).digest('hex')).toBe(path.slice(-64));
      return content.includes(text);
    });
}
