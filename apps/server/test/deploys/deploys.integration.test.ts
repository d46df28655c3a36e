import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CanisterChange,
  type DeployAnswer,
  type DeployInstanceAnswer,
  deployInstance,
  deploy as deploySchema,
} from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { takeOverSite } from '../builds/installation-attack.ts';

const examples = fileURLToPath(new URL('../../../../examples', import.meta.url));
let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

/** Runs a deploy and answers how its log ends. */
async function lastLine(id: string): Promise<{ status: string; line: string; logs: string }> {
  const { status, logs } = await client.run(id);
  return { status, line: (logs ?? '').split('\n').at(-1) ?? '', logs: logs ?? '' };
}

describe('a static site', () => {
  const folderOf = (name: string) => join(client.folder, name);

  /** A deploy of the example, in a repository of that name. */
  async function newSite(name: string): Promise<string> {
    cpSync(join(examples, 'static-site'), folderOf(name), { recursive: true });
    writeFileSync(join(folderOf(name), 'package.json'), '{ "name": "site", "private": true }');
    await client.pushFolder(name, folderOf(name), 'First <b>page</b>');
    return client.create(name, 'STATIC_SITE', { build_command: 'node build.mjs', publish_directory: 'dist' });
  }

  /** Changes one page of a site and takes another away. */
  async function change(name: string): Promise<void> {
    const pages = join(folderOf(name), 'src', 'pages');
    rmSync(join(pages, 'notes.html'));
    writeFileSync(join(pages, 'about.html'), '<!-- About -->\n<p>All is new.</p>\n');
    await client.pushFolder(name, folderOf(name), 'Second');
  }

  test('[API-31] [API-30] is created without a run, from a repository of the user', async () => {
    const id = await newSite('site');
    expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
      id,
      name: 'site',
      type: 'STATIC_SITE',
      repo_name: 'site',
      github_repo_owner: 'ada',
      branch: 'main',
      build_command: 'node build.mjs',
      publish_directory: 'dist',
      status: null,
      canisters: [],
      deployInstance: null,
    });
  });

  test('[STATE-09] [API-32] [API-34] a run goes from SCHEDULED over RUNNING to COMPLETED and tells its steps', async () => {
    const id = await newSite('ran');
    const instance = await client.run(id);
    expect(['SCHEDULED', 'RUNNING', 'COMPLETED'].filter((status) => instance.seen.includes(status))).toEqual(
      instance.seen,
    );
    expect(instance.seen).toContain('RUNNING');
    expect(instance).toMatchObject({
      status: 'COMPLETED',
      deploy_id: id,
      trigger_by: 'MANUAL',
      commit_message: 'First <b>page</b>',
    });
    expect(instance.commit_id).toMatch(/^[0-9a-f]{7}$/);
    expect(instance.duration).toBeGreaterThan(0);
    const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
    expect(instance.logs).toMatch(
      /==> Checking out main of ada\/ran\n[\s\S]*\$ node build\.mjs\n[\s\S]*Built 4 pages\./,
    );
    // Its package.json names no package, so there is nothing to be said of any.
    expect(instance.logs).not.toMatch(/packages/i);
    expect(instance.logs?.split('\n').at(-1)).toBe(
      `The site is live: http://${canisters[0]}.localhost:${new URL(client.product.networkUrl).port}/`,
    );
  });

  test('its pages are served by a canister that bears its name', async () => {
    const id = await newSite('served');
    await client.run(id);
    expect((await client.page(id)).text).toContain('<title>Welcome · Tide Table</title>');
    expect((await client.page(id, '/about')).text).toContain('How it works');
    expect(await client.page(id, '/styles/main.css')).toMatchObject({
      status: 200,
      type: expect.stringContaining('text/css'),
    });
    expect(await client.page(id, '/no-such-page')).toMatchObject({
      status: 404,
      text: expect.stringContaining('tide has taken'),
    });
    const [canister] = await client.ada.call<{ id: string; name: string }[]>('GET', '/canister/list/');
    expect(canister?.name).toBe('served');
    const history = await client.ada.call<CanisterChange[]>('GET', `/canister/history/${canister?.id}`);
    expect(history).toMatchObject([
      { kind: 'installed', actor: 'ada', detail: expect.stringMatching(/ By the deploy 'served'\.$/) },
      { kind: 'created', actor: 'ada' },
    ]);
  });

  test('what is wrong with its files is told at the end of its log, by the names of files and secrets', async () => {
    await client.push('pointers', {
      'site/index.html': '<a href="/Guide">Guide</a> <img src="/logo.png">',
      'site/404.html': 'Lost',
      'site/guide.html': 'Guide',
      'site/logo.png': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    });
    const id = await client.create('pointers', 'STATIC_SITE', {
      build_command: 'echo "key = \'$KEY\'" > site/app.js',
      publish_directory: 'site',
    });
    const variables = [{ name: 'KEY', value: 'the-key-of-ada', secret: true }];
    await client.ada.call('PATCH', `/deploy/${id}`, { variables });
    const { status, logs } = await client.run(id);
    expect(status).toBe('COMPLETED');
    const lines = (logs ?? '').split('\n');
    const start = lines.indexOf('Warnings of the site check:');
    expect(lines[start - 1]).toMatch(/^==> Done in /);
    expect(lines.slice(start + 1)).toEqual([
      expect.stringMatching(/^ {2}1 file of the site is a Git LFS pointer/),
      '    logo.png',
      expect.stringMatching(/^ {2}A secret of this deploy is in files of the site/),
      '    app.js: KEY',
      expect.stringMatching(/^ {2}1 link of the site leads to files that are named with other/),
      '    index.html: /Guide (the file is /guide.html)',
      expect.stringMatching(/^The site is live: /),
    ]);
  });

  test('an unchanged run sends nothing; a changed one sends the change and removes what is gone', async () => {
    const id = await newSite('changed');
    await client.run(id);
    expect((await client.run(id)).logs).toContain('0 files new or changed, 8 unchanged, 0 removed; 0 B sent');
    await change('changed');
    const { logs, commit_message } = await client.run(id);
    expect(commit_message).toBe('Second');
    expect(logs).toContain('1 file new or changed, 6 unchanged, 1 removed');
    expect((await client.page(id, '/about')).text).toContain('All is new.');
    expect((await client.page(id, '/notes')).status).toBe(404);
  });

  test('[ENT-09] [ENT-10] [API-29] [API-33] lists give the newest first, each deploy with its latest run', async () => {
    const id = await newSite('listed');
    await client.run(id);
    await change('listed');
    await client.run(id);
    const { data } = await client.ada.call<{ data: DeployInstanceAnswer[] }>(
      'GET',
      `/deploy/${id}/instances`,
    );
    expect(data.map(({ commit_message }) => commit_message)).toEqual(['Second', 'First <b>page</b>']);
    const [deploy] = await client.ada.call<DeployAnswer[]>('GET', '/deploy');
    expect(deploy).toMatchObject({
      id,
      status: 'COMPLETED',
      deployInstance: { id: data[0]?.id, status: 'COMPLETED', logs: null },
    });
    expect(deploy?.duration).toBe(data[0]?.duration);
    deploySchema.strict().parse(deploy);
    for (const instance of data) expect(deployInstance.strict().parse(instance).trigger_by).toBe('MANUAL');
  });

  test('[API-35] its settings can be changed one by one, and those of no other deploy', async () => {
    const id = await newSite('settings');
    const other = await client.create('settings', 'STATIC_SITE', {
      build_command: 'make',
      publish_directory: '',
    });
    expect(await client.ada.call('PATCH', `/deploy/${id}`, { name: 'renamed' })).toMatchObject({
      success: true,
    });
    expect(
      await client.ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true', publish_dir: 'src' }),
    ).toMatchObject({
      data: { name: 'renamed', build_command: 'true', publish_directory: 'src' },
    });
    const refused = await client.ada.request('PATCH', `/deploy/${id}`, { publish_dir: '../etc' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'Invalid publish directory' } });
    expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
      name: 'renamed',
      build_command: 'true',
      publish_directory: 'src',
    });
    expect(await client.ada.call('GET', `/deploy/${other}`)).toMatchObject({
      name: 'settings',
      build_command: 'make',
      publish_directory: '',
    });
    const emptied = await client.ada.call('PATCH', `/deploy/${other}`, { build_cmd: '' });
    expect(emptied, 'given as empty').toMatchObject({ data: { name: 'settings', build_command: '' } });
  });

  test("somebody else's deploy answers like one that does not exist", async () => {
    const id = await newSite('hers');
    await client.run(id);
    const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
    const [instance] = (
      await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)
    ).data;
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/trigger'],
      ['GET', '/instances'],
      ['GET', `/instances/${instance?.id}`],
    ] as const) {
      const foreign = await eve.request(method, `/deploy/${id}${path}`, method === 'GET' ? undefined : {});
      const absent = await eve.request(method, `/deploy/no-such${path}`, method === 'GET' ? undefined : {});
      expect(foreign, `${method} ${path}`).toEqual(absent);
      expect(foreign.status).toBe(404);
    }
    expect(await eve.call('GET', '/deploy')).toEqual([]);
    const stolen = await eve.request('POST', '/deploy', {
      name: 'x',
      branch: 'main',
      owner: 'ada',
      repo_name: 'hers',
    });
    expect(stolen.status).toBe(400);
  });
});

describe('a Motoko canister', () => {
  const idl: IDL.InterfaceFactory = () =>
    IDL.Service({ inc: IDL.Func([], [IDL.Nat], []), get: IDL.Func([], [IDL.Nat], ['query']) });
  interface Counter {
    inc(): Promise<bigint>;
    get(): Promise<bigint>;
  }

  test('counts, and goes on counting after a new version', async () => {
    await client.pushFolder('counter', join(examples, 'motoko-counter'), 'Start');
    const id = await client.create('counter', 'MOTOKO', {
      build_command: 'never run',
      publish_directory: 'x',
    });
    expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
      build_command: null,
      publish_directory: null,
    });
    const first = await client.run(id);
    expect(first.logs).toMatch(/Main file: src\/main\.mo[\s\S]*Motoko compiler of npm package/);
    const canisterId = (await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters[0] ?? '';
    expect(first.logs?.split('\n').at(-1)).toBe(
      `Call the canister: ${client.product.url}/candid/?id=${canisterId}`,
    );

    const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
    const counter = Actor.createActor<Counter>(idl, { agent, canisterId });
    expect(await counter.inc()).toBe(1n);
    expect(await counter.inc()).toBe(2n);
    expect((await client.run(id)).logs).toContain('its data stays');
    expect(await counter.get()).toBe(2n);
  });

  test('a type error fails the run with file, line and what to do next', async () => {
    await client.push('wrong', {
      'src/main.mo': 'persistent actor {\n  public func f() : async Nat { "x" };\n}\n',
    });
    const { status, line, logs } = await lastLine(await client.create('wrong', 'MOTOKO'));
    expect(status).toBe('FAILED');
    expect(logs).toMatch(/^src\/main\.mo:2:\d+: error M0050: /m);
    expect(line).toBe(
      'Failed: The compiler found 1 error. Correct what the log names, push, and deploy again.',
    );
  });

  test('missing install arguments are named by their types', async () => {
    await client.push('class', {
      'main.mo':
        'persistent actor class C(owner : Principal, limit : { max : Nat }) { public func f() : async Nat { ignore owner; limit.max } }',
    });
    const { status, line } = await lastLine(await client.create('class', 'MOTOKO'));
    expect(status).toBe('FAILED');
    expect(line).toContain(
      'needs install arguments of type (principal, record { max : nat }), and the project gives none',
    );
  });

  test('install arguments of the project are used', async () => {
    const dfx = JSON.stringify({ canisters: { c: { main: 'main.mo', init_arg: '(41)' } } });
    const source =
      'persistent actor class C(start : Nat) { var n = start; public func inc() : async Nat { n += 1; n }; public query func get() : async Nat { n } }';
    await client.push('given', { 'main.mo': source, 'dfx.json': dfx });
    const id = await client.create('given', 'MOTOKO');
    expect((await client.run(id)).status).toBe('COMPLETED');
    const canisterId = (await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters[0] ?? '';
    const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
    expect(await Actor.createActor<Counter>(idl, { agent, canisterId }).inc()).toBe(42n);
  });
});

describe('a run that cannot succeed ends with what to do next', () => {
  const files = { 'index.html': 'hello', 'build.sh': 'echo "some output"; exit 3' };

  test('the build command fails', async () => {
    await client.push('failing', files);
    const { status, line, logs } = await lastLine(
      await client.create('failing', 'STATIC_SITE', { build_command: 'sh build.sh' }),
    );
    expect(status).toBe('FAILED');
    expect(logs).toContain('$ sh build.sh\nsome output\n');
    expect(line).toMatch(/^Failed: The build command failed with exit code 3\. Correct .* deploy again\.$/);
  });

  test('the build command leads out of the repository', async () => {
    await client.push('outside', { 'package.json': '{}', 'index.html': 'hello' });
    const { status, line } = await lastLine(
      await client.create('outside', 'STATIC_SITE', { build_command: 'cd ../.. && npm run build' }),
    );
    expect(status).toBe('FAILED');
    expect(line).toBe('Failed: The build command names ../.., which is outside the repository.');
  });

  test('the publish directory is not there', async () => {
    await client.push('missing', { 'docs/index.html': 'hello' });
    const { status, line } = await lastLine(
      await client.create('missing', 'STATIC_SITE', { publish_directory: 'dist' }),
    );
    expect(status).toBe('FAILED');
    expect(line).toBe(
      "Failed: The publish directory 'dist' does not exist, and no build command makes it. Directories present: docs.",
    );
  });

  test('the branch is not there', async () => {
    await client.push('branch', files);
    const id = await client.create('branch', 'STATIC_SITE', { branch: 'gone' });
    expect((await lastLine(id)).line).toBe(
      "Failed: The branch 'gone' does not exist. Branches of the repository: main.",
    );
  });

  test('refused when it is created: no repository, no branch name', async () => {
    await client.push('named', files);
    const body = { name: 'x', branch: 'main', owner: 'ada', repo_name: 'no-such', deploy_type: 'MOTOKO' };
    expect(await client.ada.request('POST', '/deploy', body)).toMatchObject({
      status: 400,
      body: { code: 'repository_not_found' },
    });
    const hostile = { ...body, repo_name: 'named', branch: '--upload-pack=x' };
    expect(await client.ada.request('POST', '/deploy', hostile)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    });
  });
});

test('[API-38] a trigger that is sent again under its key starts one run, and gets its id', async () => {
  await client.push('once', { 'index.html': 'once' });
  const deploy = { branch: 'main', owner: 'ada', repo_name: 'once', deploy_type: 'CUSTOM' };
  const create = (name: string) => client.ada.call<{ id: string }>('POST', '/deploy', { name, ...deploy });
  const [{ id }, other] = [await create('once'), await create('other')];
  const trigger = async (deployId: string, key: string) => {
    const response = await fetch(`${client.product.url}/api/deploy/${deployId}/trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.ada.token}`, 'idempotency-key': key },
    });
    return { status: response.status, body: (await response.json()) as { id?: string; error?: string } };
  };
  const answers = await Promise.all([1, 2, 3].map(() => trigger(id, 'first')));
  const [first] = answers;
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: { id: first?.body.id } })));
  await client.finished(id, first?.body.id ?? '');
  expect((await trigger(id, 'first')).body.id).toBe(first?.body.id);
  expect((await client.ada.call<{ data: object[] }>('GET', `/deploy/${id}/instances`)).data).toHaveLength(1);
  expect(await trigger(other.id, 'first')).toMatchObject({
    status: 400,
    body: { error: 'This Idempotency-Key belongs to another request.' },
  });
  expect((await trigger(id, 'second')).body.id).not.toBe(first?.body.id);
});

test('a repository that makes git run its code while packages are installed reaches nothing of the console', async () => {
  const site = takeOverSite(client.product.url);
  await client.push('harmless', site);
  const id = await client.create('harmless', 'STATIC_SITE', {});
  const { status, logs } = await client.run(id);
  expect(logs).toContain('npm install');
  expect(status).toBe('COMPLETED');
  // What is not there is answered with the first page.
  for (const path of ['/', '/stolen.txt', '/code-ran.txt'])
    expect((await client.page(id, path)).text).toBe('a harmless page');
});
