import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

const run = promisify(execFile);

let client: DeployClient;
let folder: string;

beforeAll(async () => {
  client = await startDeployClient();
  folder = mkdtempSync(join(client.folder, 'clone-'));
  const { secret } = await client.ada.call<{ secret: string }>('POST', '/repository/tokens', {
    label: 'test',
  });
  const { host } = new URL(client.product.url);
  await git('init', '--quiet', '--initial-branch=main');
  await git('remote', 'add', 'origin', `http://ada:${secret}@${host}/ada/shop.git`);
}, 120_000);
afterAll(() => client?.dispose());

/** Runs git as a user would; answers what it shows on its error output, where messages of the other side are. */
async function git(...words: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return (await run('git', ['-C', folder, ...identity, ...words], { env })).stderr;
}

async function commit(text: string): Promise<void> {
  writeFileSync(join(folder, 'index.html'), text);
  await git('add', '.');
  await git('commit', '--quiet', '-m', text);
}

async function runs(id: string): Promise<DeployInstanceAnswer[]> {
  const path = `/deploy/${id}/instances`;
  return (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', path)).data;
}

test('a push starts a run of the deploys of its branch that want it, and git shows where to watch it', async () => {
  await commit('one');
  expect(await git('push', 'origin', 'main')).not.toContain('deploys');
  const id = await client.create('shop', 'STATIC_SITE');
  const other = await client.create('shop', 'STATIC_SITE', { name: 'Quiet' });
  // Nothing happens unless the user wants it.
  await commit('two');
  await git('push', 'origin', 'main');
  expect(await runs(id)).toEqual([]);

  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  await commit('three');
  const shown = await git('push', 'origin', 'main');
  expect(shown).toContain(`remote: A push to main deploys 'shop': ${client.product.url}/ics/deploy/${id}`);
  // The run is there before git has ended.
  const [first] = await runs(id);
  expect(first).toMatchObject({ trigger_by: 'PUSH' });
  const ended = await client.finished(id, first?.id ?? '');
  expect(ended).toMatchObject({ status: 'COMPLETED', commit_message: 'three' });
  expect((await client.page(id)).text).toBe('three');
  expect(await runs(other)).toEqual([]);
});

test('another branch, a tag and a push that git refuses start nothing', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Strict' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  await git('push', 'origin', 'main:refs/heads/elsewhere');
  await git('tag', 'v1');
  await git('push', 'origin', 'v1');
  expect(await runs(id)).toEqual([]);
  // What git refuses by itself never comes here.
  await git('commit', '--quiet', '--amend', '-m', 'rewritten');
  await expect(git('push', 'origin', 'main')).rejects.toThrow('rejected');
  expect(await runs(id)).toEqual([]);
  await git('push', '--force', 'origin', 'main');
  expect((await runs(id)).map(({ trigger_by }) => trigger_by)).toEqual(['PUSH']);
});

test('a commit whose message says so starts no run, and git shows that; what git shows comes after the push', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Calm\u001b[31m' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  await commit('Typo [skip ci]');
  const shown = (await git('push', 'origin', 'main')).replaceAll(/ +$/gm, '');
  expect(shown).toMatch(
    /remote: A push to main does not deploy 'Calm': the message of [0-9a-f]{7} has \[skip ci\]/,
  );
  expect(await runs(id)).toEqual([]);
  // The newest commit counts.
  await commit('Another text');
  await git('commit', '--quiet', '--allow-empty', '-m', 'x', '-m', 'skip-checks: true');
  await git('commit', '--quiet', '--allow-empty', '-m', 'The last one');
  expect(await git('push', 'origin', 'main')).toContain(`remote: A push to main deploys 'Calm':`);
  expect((await runs(id)).map(({ trigger_by }) => trigger_by)).toEqual(['PUSH']);
});

test('a message that is too long to be read hides nothing, and the push is told of nothing else', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Long' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  writeFileSync(join(folder, '..', 'message'), `Long\n\n${'a '.repeat(40_000)}[skip ci]\n`);
  await git('commit', '--quiet', '--allow-empty', '-F', join(folder, '..', 'message'));
  expect(await git('push', 'origin', 'main')).toContain("remote: A push to main deploys 'Long':");
  expect(await runs(id)).toHaveLength(1);
});

test('a client that takes no lines beside the report is shown none, and its push is done', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Plain' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  await commit('Without lines');
  const shown = await git('-c', 'sendpack.sideband=false', 'push', 'origin', 'main');
  expect(shown).not.toContain('remote: A push');
  expect(await runs(id)).toHaveLength(1);
});
