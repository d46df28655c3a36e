import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
/** The pushes of one test start no runs of another's deploys. */
afterEach(async () => {
  for (const { id } of await client.ada.call<{ id: string }[]>('GET', '/deploy'))
    await client.ada.call('PATCH', `/deploy/${id}`, { on_push: false, deploy_tags: '' });
});

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

const read = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();

/** Pushes the newest commit as a program does that speaks the protocol by itself; answers what it is told. */
async function pushRaw(before: string, { expected }: { expected: string }): Promise<string> {
  const command = `${expected} ${read('rev-parse', 'HEAD')} refs/heads/main\0report-status`;
  const pack = execFileSync('git', ['-C', folder, 'pack-objects', '--revs', '--stdout', '--quiet'], {
    input: `HEAD\n^${before}\n`,
  });
  const head = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  const { origin, username, password, pathname } = new URL(read('remote', 'get-url', 'origin'));
  const answer = await fetch(`${origin}${pathname}/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    },
    body: Buffer.concat([Buffer.from(head), pack]),
  });
  return answer.text();
}

test('a client that takes no lines beside the report is shown none, and its push is done', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Plain' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  const before = read('rev-parse', 'HEAD');
  await git('push', 'origin', 'main');
  await commit('Without lines');
  expect(await pushRaw(before, { expected: before })).toBe('000eunpack ok\n0017ok refs/heads/main\n0000');
  expect(await runs(id)).toHaveLength(1);
});

test('a push to a branch that is elsewhere by now is refused, and starts nothing', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Late' });
  await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
  const before = read('rev-parse', 'HEAD');
  await commit('Too late');
  expect(await pushRaw(before, { expected: '0'.repeat(40) })).toMatch(
    /^000eunpack ok\n[\da-f]{4}ng refs\/heads\/main .+\n0000$/,
  );
  expect(await runs(id)).toEqual([]);
});

/** Commits files below the folder of the clone. */
async function commitFiles(files: Readonly<Record<string, string>>, message: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await git('add', '.');
  await git('commit', '--quiet', '-m', message);
}

test('with watch paths a push runs when one of them differs from what is live, and else says why it does not', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Web' });
  await client.ada.call('PATCH', `/deploy/${id}`, {
    on_push: true,
    watch_paths: ['web', '!web/*.md', 'index.html'],
  });
  const count = async (): Promise<number> => (await runs(id)).length;
  const ended = async (): Promise<DeployInstanceAnswer> => client.finished(id, (await runs(id))[0]?.id ?? '');
  const refused =
    /A push to main does not deploy 'Web': nothing of its watch paths has changed since [0-9a-f]{7}/;
  const pushed = async (): Promise<string> => (await git('push', 'origin', 'main')).replaceAll(/ +$/gm, '');

  // Nothing is live yet.
  await commitFiles({ 'docs/a.md': 'one' }, 'docs');
  expect(await pushed()).toContain("A push to main deploys 'Web':");
  expect(await ended()).toMatchObject({ status: 'COMPLETED', commit_message: 'docs', commit_author: 'Ada' });

  await commitFiles({ 'docs/b.md': 'two', 'web/notes.md': 'x' }, 'more docs');
  expect(await pushed()).toMatch(refused);
  expect(await count()).toBe(1);

  // What has changed since the commit that is live counts, not the push alone.
  await commitFiles({ 'web/main.js': '1' }, 'code [skip ci]');
  await pushed();
  await commitFiles({ 'docs/c.md': 'three' }, 'docs again');
  expect(await pushed()).toContain("A push to main deploys 'Web':");
  expect(await ended()).toMatchObject({ status: 'COMPLETED', commit_message: 'docs again' });

  // After a rollback something else is live.
  const [newest, first] = await runs(id);
  const { id: rolled } = await client.ada.call<{ id: string }>(
    'POST',
    `/deploy/${id}/instances/${first?.id}/rollback`,
  );
  expect(await client.finished(id, rolled)).toMatchObject({
    commit_id: first?.commit_id,
    commit_author: 'Ada',
  });
  await commitFiles({ 'docs/d.md': 'four' }, 'docs once more');
  expect(await pushed()).toContain("A push to main deploys 'Web':");
  expect(await ended()).toMatchObject({ status: 'COMPLETED' });
  expect(newest?.commit_id).not.toBe(first?.commit_id);

  // After a run that has failed it is not known what is live.
  await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'exit 1' });
  await commitFiles({ 'web/main.js': '2' }, 'breaks');
  await pushed();
  expect(await ended()).toMatchObject({ status: 'FAILED' });
  await commitFiles({ 'web/main.js': '1' }, 'back to what is live');
  expect(await pushed()).toContain("A push to main deploys 'Web':");
});

test('a tag that fits starts a run of its commit, whatever branch that is on', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Releases' });
  await client.ada.call('PATCH', `/deploy/${id}`, { deploy_tags: 'v*' });
  const ended = async (): Promise<DeployInstanceAnswer> => client.finished(id, (await runs(id))[0]?.id ?? '');
  await commit('the release');
  await git('tag', '-a', 'v2.0', '-m', 'Second');
  await git('tag', 'other');
  await commit('after the release');
  // The branch starts none: the deploy does not want it.
  await git('push', 'origin', 'main', 'other');
  expect(await runs(id)).toEqual([]);
  expect(await git('push', 'origin', 'v2.0')).toContain("remote: The tag v2.0 deploys 'Releases':");
  const run = await ended();
  expect(run).toMatchObject({
    status: 'COMPLETED',
    trigger_by: 'PUSH',
    tag: 'v2.0',
    commit_message: 'the release',
  });
  expect(run.logs).toContain('==> Checking out the tag v2.0 of ada/shop');
  expect((await client.page(id)).text).toBe('the release');

  // What was pushed counts, though the tag moves before the run begins; a message that skips is for branches.
  await commit('moved [skip ci]');
  await git('tag', '--force', 'v2.0');
  await git('push', '--force', 'origin', 'v2.0');
  expect(await ended()).toMatchObject({
    status: 'COMPLETED',
    tag: 'v2.0',
    commit_message: 'moved [skip ci]',
  });
  expect((await client.page(id)).text).toBe('moved [skip ci]');

  // By hand it is the branch again.
  expect(await client.run(id)).toMatchObject({
    status: 'COMPLETED',
    tag: null,
    commit_message: 'after the release',
  });
  const { id: rolled } = await client.ada.call<{ id: string }>(
    'POST',
    `/deploy/${id}/instances/${run.id}/rollback`,
  );
  expect(await client.finished(id, rolled)).toMatchObject({ tag: 'v2.0', commit_id: run.commit_id });

  const before = (await runs(id)).length;
  await git('tag', 'v-tree', 'HEAD^{tree}');
  for (const name of ['v3', 'v4', 'v5', 'v6']) await git('tag', name);
  await git('push', 'origin', 'v-tree');
  expect(await git('push', 'origin', 'v3', 'v4', 'v5', 'v6')).toContain(
    'remote: More than 3 tags at once deploy nothing',
  );
  await git('push', 'origin', '--delete', 'v3');
  expect(await runs(id)).toHaveLength(before);
});

test('patterns that cannot be read are refused, and those of a repository elsewhere', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Patterns' });
  const change = (body: object) => client.ada.request('PATCH', `/deploy/${id}`, body);
  expect(await change({ watch_paths: ['web', '[a'] })).toMatchObject({
    status: 400,
    body: {
      error: expect.stringContaining("The watch paths cannot be read: the class of characters in '[a'"),
    },
  });
  expect((await change({ deploy_tags: '{v' })).status).toBe(400);
  expect((await change({ watch_paths: Array.from({ length: 51 }, () => 'a') })).status).toBe(400);
  expect((await change({ watch_paths: ['a'.repeat(201)] })).status).toBe(400);
  expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({ watch_paths: [], deploy_tags: '' });
  await change({ watch_paths: [' web/ ', ''], deploy_tags: ' v* ' });
  expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
    watch_paths: ['web/'],
    deploy_tags: 'v*',
  });
});

test('the author of a run is a name on one line, and no address', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Written' });
  for (const [given, shown] of [
    ['Eve\u202e \u001b[31mof \u200bMill', 'Eve of Mill'],
    ['eve@example.org', 'eve'],
    ['\u202e\u200b', null],
    ['E'.repeat(3_000), 'E'.repeat(100)],
  ] as const) {
    await git(
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'By somebody',
      `--author=${given} <eve@example.org>`,
    );
    await git('push', 'origin', 'main');
    const run = await client.run(id);
    expect(run).toMatchObject({ status: 'COMPLETED', commit_author: shown });
    expect(JSON.stringify(run)).not.toContain('example.org');
  }
});

test('deploy on push is paused and resumed: the moment is recorded, and git says why nothing is deployed', async () => {
  const id = await client.create('shop', 'STATIC_SITE', { name: 'Paused' });
  const settings = (body: object): Promise<{ data: { on_push: boolean; push_paused_at?: string | null } }> =>
    client.ada.call('PATCH', `/deploy/${id}`, body);
  expect((await settings({ on_push: true })).data.push_paused_at).toBeNull();
  const { data } = await settings({ push_paused: true });
  expect(data.on_push).toBe(true);
  expect(Math.abs(Date.parse(data.push_paused_at ?? '') - Date.now())).toBeLessThan(60_000);
  await commit('while paused');
  expect(await git('push', 'origin', 'main')).toContain(
    `remote: A push to main does not deploy 'Paused': deploy on push is paused; resume it at ${client.product.url}/ics/deploy/${id}`,
  );
  expect(await runs(id)).toEqual([]);
  // A tag is pushed to deploy it; the pause is of the branch.
  await settings({ deploy_tags: 'v*' });
  await git('tag', 'v-paused');
  expect(await git('push', 'origin', 'v-paused')).toContain('deploys');
  await client.finished(id, (await runs(id))[0]?.id ?? '');

  expect((await settings({ push_paused: false, deploy_tags: '' })).data.push_paused_at).toBeNull();
  await commit('resumed');
  await git('push', 'origin', 'main');
  const [run] = await runs(id);
  expect(await client.finished(id, run?.id ?? '')).toMatchObject({
    status: 'COMPLETED',
    commit_message: 'resumed',
  });
  // Another choice of what a push does ends a pause.
  await settings({ push_paused: true });
  expect((await settings({ on_push: false })).data.push_paused_at).toBeNull();
});
