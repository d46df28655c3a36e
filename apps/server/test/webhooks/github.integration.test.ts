import type { DeployInstanceAnswer, PublicConfig, Repository } from '@cannery/contract';
import { createApi, processes, type PretendGitHub, signIn, startPretendGitHub } from '@cannery/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { commitOfEvent } from './github-commit.ts';
import { beginAt, connect, deliver, filesBelow, finishAt, partOfEvent } from './github-steps.ts';

let github: PretendGitHub;
let client: DeployClient;
let octo: PretendGitHub['world']['accounts'][number];
let site: PretendGitHub['world']['repositories'][number];
let installation: PretendGitHub['world']['installations'][number];
let commit: string;

beforeAll(async () => {
  github = await startPretendGitHub();
  const { world } = github;
  octo = world.account('octo');
  site = world.repository('octo/site', { branches: ['alpha', 'main', 'zeta'].toSorted() });
  site.branches.unshift(...site.branches.splice(site.branches.indexOf('main'), 1));
  installation = world.install(octo);
  commit = await github.git.commit('octo/site', { 'index.html': 'The private page of octo' }, 'First page');
  client = await startDeployClient({
    env: { ...github.env, GIT_HOSTS: github.git.host, LOG_LEVEL: 'info' },
  });
}, 120_000);
afterAll(async () => {
  await client?.dispose();
  await github?.close();
});

const REVOKED = 'github-app-authorization-revoked';

async function runs(id: string): Promise<DeployInstanceAnswer[]> {
  return (await client.ada.call<{ data: DeployInstanceAnswer[] }>('GET', `/deploy/${id}/instances`)).data;
}

const createSite = (name: string, branch = 'main'): Promise<string> =>
  client.create('site', 'STATIC_SITE', { owner: 'octo', name, branch });

/** Statuses that have arrived for a commit, once there are as many. */
async function statusesOf(sha: string, count: number) {
  await expect
    .poll(() => github.world.statuses.filter((one) => one.sha === sha).length, { timeout: 20_000 })
    .toBe(count);
  return github.world.statuses.filter((one) => one.sha === sha);
}

test('[OP-40] the console calls the provider GitHub, and links lead there', async () => {
  const { git_provider: provider } = await client.ada.call<PublicConfig>('GET', '/config');
  expect(provider).toEqual({
    name: 'GitHub',
    account_url_pattern: `${github.url}/{owner}`,
    repository_url_pattern: `${github.url}/{owner}/{repo}`,
    tree_url_pattern: `${github.url}/{owner}/{repo}/tree/{branch}`,
    clone_url_pattern: `${github.url}/{owner}/{repo}.git`,
    install_url: `${client.product.url}/git/github`,
    embedded: false,
  });
});

describe('[DEP-09] [OP-40] connecting an account', () => {
  test('leads to the page of the app with user and deploy type in its state', async () => {
    expect(await client.ada.call<Repository[]>('GET', '/deploy/repos')).toEqual([]);
    const { address, state } = await beginAt(client.ada, { deploy_type: 'MOTOKO' });
    expect(address.href.split('?')[0]).toBe(`${github.url}/github-apps/cannery-pretend/installations/new`);
    const { id } = await client.ada.call<{ id: string }>('GET', '/user/profile/');
    expect(JSON.parse(state)).toEqual({
      user_id: id,
      deploy_type: 'MOTOKO',
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { address: other } = await beginAt(client.ada, { way: 'authorize' });
    expect(other.href).toContain(`${github.url}/login/oauth/authorize?client_id=Iv1.pretend&state=`);
  });

  test('binds what GitHub lists for the person, and gives the token of the person back', async () => {
    expect(await connect(client.ada, github, octo, installation.id)).toEqual({
      accounts: ['octo'],
      deploy_type: 'STATIC_SITE',
    });
    const person = github.world.tokens.find(({ kind }) => kind === 'user');
    expect(person?.revoked).toBe(true);
    const [only] = await client.ada.call<Repository[]>('GET', '/deploy/repos');
    expect(only).toEqual({
      name: 'site',
      private: true,
      owner: { login: 'octo' },
      url: `${github.url}/octo/site`,
      default_branch: 'main',
    });
    expect(github.faults).toEqual([]);
  });
});

test('[DEP-03] [API-27] repositories of all accounts come from all pages, newest push first', async () => {
  const { world } = github;
  const guild = world.account('guild', 'Organization');
  const guildInstallation = world.install(guild);
  for (let number = 1; number <= 230; number += 1)
    world.repository(`octo/part-${number}`, { private: number !== 7 });
  for (const name of ['open', 'granted', 'secret']) world.repository(`guild/${name}`);
  world.repositories.find(({ name }) => name === 'granted')?.rights.set('octo', 'read');
  await connect(client.ada, github, octo, guildInstallation.id);
  const listed = await client.ada.call<Repository[]>('GET', '/deploy/repos');
  expect(listed).toHaveLength(232);
  expect(listed.filter((one) => !one.private).map(({ name }) => name)).toEqual(['part-7']);
  // In an account of others, only what the person has a right to.
  expect(listed.filter(({ owner }) => owner.login === 'guild').map(({ name }) => name)).toEqual(['granted']);
  expect(listed.slice(0, 3).map(({ name }) => name)).toEqual(['granted', 'part-230', 'part-229']);
  expect(github.faults).toEqual([]);
});

describe('a repository of an account of others', () => {
  const branches = (repo: string) =>
    client.ada.request('POST', '/deploy/branches', { repo, owner: 'guild', is_public: false });

  test('opens as long as the person has the right at GitHub', async () => {
    const granted = github.world.repositories.find(({ name }) => name === 'granted');
    expect((await branches('granted')).status).toBe(200);
    expect((await branches('secret')).status).toBe(400);
    granted?.rights.delete('octo');
    expect(await branches('granted')).toMatchObject({
      status: 400,
      body: {
        code: 'repository_not_found',
        error: expect.stringContaining('octo may not read guild/granted'),
      },
    });
    // The name is somebody else's now.
    granted?.rights.set('octo', 'admin');
    octo.login = 'octo-renamed';
    github.world.account('octo');
    try {
      expect((await branches('granted')).status).toBe(400);
    } finally {
      octo.login = 'octo';
      github.world.accounts.pop();
    }
    expect((await branches('granted')).status).toBe(200);
  });
});

test('[OP-43] [API-28] branches come with the default one first, from all pages', async () => {
  const many = Array.from({ length: 120 }, (_, index) => `feature/${String(index).padStart(3, '0')}`);
  github.world.repository('octo/many', { branches: ['trunk', ...many] });
  const names = await client.ada.call<{ name: string }[]>('POST', '/deploy/branches', {
    repo: 'many',
    owner: 'octo',
    is_public: false,
  });
  expect(names.map(({ name }) => name)).toEqual(['trunk', ...many]);
});

describe('[OP-58] a private repository at GitHub', () => {
  test('is deployed end to end with a token for it alone that can only read, and GitHub learns how it went', async () => {
    const before = github.world.tokens.length;
    const id = await createSite('Shop');
    const given = github.world.tokens.length;
    const run = await client.run(id);
    expect(run).toMatchObject({ status: 'COMPLETED', commit_id: commit.slice(0, 7) });
    expect(run.logs).toContain('==> Checking out main of octo/site');
    expect((await client.page(id)).text).toBe('The private page of octo');

    const statuses = await statusesOf(commit, 2);
    const common = {
      repository: 'octo/site',
      sha: commit,
      context: 'Cannery: Shop',
      target_url: `${client.product.url}/ics/deploy/${id}/runs/${run.id}`,
    };
    expect(statuses).toEqual([
      { ...common, state: 'pending', description: 'Deploying' },
      { ...common, state: 'success', description: 'Live' },
    ]);
    const issued = github.world.tokens.slice(before);
    for (const token of issued) expect(token.repositoryIds, JSON.stringify(token)).toEqual([site.id]);
    // The one that git has used.
    const password = Buffer.from(github.gitAuthorizations.at(-1)?.slice(6) ?? '', 'base64').toString();
    const used = github.world.tokens.slice(given).find(({ token }) => password === `x-access-token:${token}`);
    expect(used?.permissions).toEqual({ contents: 'read', metadata: 'read' });
    expect((used?.expiresAt ?? Infinity) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(github.faults).toEqual([]);
  });

  test('R10: no token is in logs, arguments, answers, the data folder or the environment of a build', async () => {
    const show =
      'mkdir -p out && echo page > out/index.html && env > out/env.txt && cat /proc/*/cmdline /proc/*/environ > out/all.txt; true';
    const before = github.world.tokens.length;
    const seen: string[] = [];
    const id = await client.create('site', 'STATIC_SITE', {
      owner: 'octo',
      name: 'Curious',
      build_command: show,
      publish_directory: 'out',
    });
    const watching = setInterval(() => seen.push(...processes().map(({ command }) => command)), 25);
    const run = await client.run(id);
    clearInterval(watching);
    expect(run.status).toBe('COMPLETED');
    const tokens = github.world.tokens.slice(before).map(({ token }) => token);
    expect(tokens.length).toBeGreaterThan(1);
    const forms = tokens.flatMap((token) => [
      token,
      Buffer.from(`x-access-token:${token}`).toString('base64'),
    ]);
    expect(seen.some((command) => command.includes('git'))).toBe(true);
    const pages = await Promise.all(['/env.txt', '/all.txt'].map((path) => client.page(id, path)));
    expect(pages[0]?.text).toContain('PATH=');
    const places = {
      arguments: seen.join('\n'),
      'log of the run': run.logs ?? '',
      'log of the server': client.product.output(),
      'what the build saw': pages.map(({ text }) => text).join('\n'),
    };
    const isIn = (text: string): boolean => forms.some((form) => text.includes(form));
    for (const [place, text] of Object.entries(places)) expect(isIn(text), place).toBe(false);
    for (const [path, text] of filesBelow(client.product.dataDir)) expect(isIn(text), path).toBe(false);
  });

  test('whose run fails says so at GitHub; one is live though GitHub takes no statuses', async () => {
    const sha = await github.git.commit('octo/site', { 'index.html': 'second' }, 'Second page');
    const id = await client.create('site', 'STATIC_SITE', {
      owner: 'octo',
      name: 'Broken',
      build_command: 'exit 3',
    });
    expect((await client.run(id)).status).toBe('FAILED');
    expect((await statusesOf(sha, 2)).map(({ state }) => state)).toEqual(['pending', 'failure']);
    const call = 'POST /repos/{owner}/{repo}/statuses/{sha}';
    github.world.refused.add(call);
    expect((await client.run(await createSite('Untold'))).status).toBe('COMPLETED');
    github.world.refused.delete(call);
    expect(await statusesOf(sha, 2)).toHaveLength(2);
  });
});

describe('a push at GitHub', () => {
  const push = (branch: string, values: object = {}, delivery?: string) =>
    github.event(
      'push',
      {
        ref: `refs/heads/${branch}`,
        repository: partOfEvent(github, 'push', 'repository', { id: site.id }),
        installation: { id: installation.id, node_id: 'x' },
        ...values,
      },
      delivery,
    );

  test('starts a run of each deploy of that repository and branch that wants it, once', async () => {
    await github.git.commit('octo/site', { 'index.html': 'pushed' }, 'Pushed page');
    const id = await createSite('Live');
    const quiet = await createSite('Quiet');
    const elsewhere = await createSite('Elsewhere', 'alpha');
    for (const one of [id, elsewhere]) await client.ada.call('PATCH', `/deploy/${one}`, { on_push: true });
    const event = push('main');
    expect(await deliver(client.product.url, event)).toBe(202);
    const [first] = await runs(id);
    expect(first).toMatchObject({ trigger_by: 'PUSH' });
    const ended = await client.finished(id, first?.id ?? '');
    expect(ended).toMatchObject({ status: 'COMPLETED', commit_message: 'Pushed page' });
    // The same delivery again, also several at once.
    const again = await Promise.all([1, 2, 3].map(() => deliver(client.product.url, event)));
    expect(again).toEqual([202, 202, 202]);
    expect(await runs(id)).toHaveLength(1);
    expect([await runs(quiet), await runs(elsewhere)]).toEqual([[], []]);
    expect(github.faults).toEqual([]);
  });

  test('that is forged, of another secret, changed, unsigned or too large starts nothing', async () => {
    const [id] = [await createSite('Guarded')];
    await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
    const { body, headers } = push('main');
    const others = [
      { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      { ...headers, 'x-hub-signature-256': '' },
      { ...headers, 'x-hub-signature-256': (headers['x-hub-signature-256'] ?? '').slice(0, -1) },
      { ...headers, 'x-hub-signature-256': (headers['x-hub-signature-256'] ?? '').replace('sha256', 'sha1') },
    ];
    for (const forged of others) {
      expect(await deliver(client.product.url, { body, headers: forged })).toBe(401);
    }
    expect(await deliver(client.product.url, { body: `${body} `, headers })).toBe(401);
    expect(await deliver(client.product.url, { body: 'x'.repeat(6 * 1024 ** 2), headers })).toBe(413);
    expect(await runs(id)).toEqual([]);
  });

  test('to a tag, of a deleted branch, of another installation or repository, or with [ci skip], starts nothing', async () => {
    const id = await createSite('Picky');
    await client.ada.call('PATCH', `/deploy/${id}`, { on_push: true });
    const events = [
      push('main', { head_commit: commitOfEvent('Typo [ci skip]') }),
      push('main', { ref: 'refs/tags/main' }),
      push('main', { deleted: true }),
      push('main', { installation: { id: installation.id + 1, node_id: 'x' } }),
      push('main', { repository: partOfEvent(github, 'push', 'repository', { id: site.id + 1 }) }),
    ];
    for (const event of events) expect(await deliver(client.product.url, event)).toBe(202);
    expect(await runs(id)).toEqual([]);
    expect(github.faults).toEqual([]);
  });
});

test('a public repository of GitHub is named by owner and name alone, and is deployed without a token', async () => {
  await github.git.commit('strangers/open', { 'index.html': 'open page' });
  github.world.repository('strangers/open', { private: false });
  github.world.repository('strangers/closed');
  const body = { owner: 'strangers', is_public: true };
  const branches = (repo: string) => client.ada.request('POST', '/deploy/branches', { ...body, repo });
  expect(await branches('open')).toEqual({ status: 200, body: [{ name: 'main' }] });
  expect(await branches('closed')).toMatchObject({ status: 400, body: { code: 'repository_not_found' } });
  const before = { tokens: github.world.tokens.length, git: github.gitAuthorizations.length };
  const { id } = await client.ada.call<{ id: string }>('POST', '/deploy', {
    ...body,
    name: 'Open',
    repo_name: 'open',
    branch: 'main',
    deploy_type: 'STATIC_SITE',
  });
  expect(await client.ada.call('GET', `/deploy/${id}`)).toMatchObject({
    url: `${github.url}/strangers/open`,
  });
  expect((await client.run(id)).status).toBe('COMPLETED');
  expect(github.world.tokens).toHaveLength(before.tokens);
  expect(new Set(github.gitAuthorizations.slice(before.git))).toEqual(new Set(['']));
});

test('an app that is suspended, taken away or refused by its person ends here, and deploys say why', async () => {
  const id = await createSite('Last');
  const reposOf = async (login: string) =>
    (await client.ada.call<Repository[]>('GET', '/deploy/repos')).filter(
      ({ owner }) => owner.login === login,
    );
  const gone = (event: string) => ({
    installation: partOfEvent(github, event, 'installation', { id: installation.id }),
  });
  const ends = {
    suspended: async () => {
      installation.suspended = true;
    },
    'taken away': async () => github.world.uninstall(installation.id),
    'announced as gone': () =>
      deliver(client.product.url, github.event('installation-deleted', gone('installation-deleted'))),
    'announced as suspended': () =>
      deliver(client.product.url, github.event('installation-suspend', gone('installation-suspend'))),
    'refused by its person': () =>
      deliver(
        client.product.url,
        github.event(REVOKED, { sender: partOfEvent(github, REVOKED, 'sender', { id: octo.id }) }),
      ),
  };
  for (const [name, end] of Object.entries(ends)) {
    installation.suspended = false;
    if (!github.world.installations.includes(installation)) github.world.installations.push(installation);
    await connect(client.ada, github, octo, installation.id);
    expect(await reposOf('octo'), name).not.toEqual([]);
    await end();
    const run = await client.run(id);
    expect(run.status, name).toBe('FAILED');
    expect(run.logs, name).toMatch(
      /Failed: (The GitHub App is no longer installed in octo|No account that you)/,
    );
    expect(run.logs, name).toContain("Press 'Configure account'");
    expect(await reposOf('octo'), name).toEqual([]);
  }
  expect(github.faults).toEqual([]);
});

test('GitHub that is away is told of, and nothing that is bound is lost', async () => {
  await connect(client.ada, github, octo, installation.id);
  github.outage = 502;
  try {
    const named = { repo: 'site', owner: 'octo', is_public: false };
    const { status, body } = await client.ada.request('POST', '/deploy/branches', named);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'git_host_unavailable' } });
    const { state } = await beginAt(client.ada);
    expect((await finishAt(client.ada, { code: 'x', state })).body).toMatchObject({
      code: 'git_host_unavailable',
    });
  } finally {
    github.outage = undefined;
  }
  expect(await client.ada.call<Repository[]>('GET', '/deploy/repos')).not.toEqual([]);
  const { GITHUB_CLIENT_SECRET = '', GITHUB_WEBHOOK_SECRET = '' } = github.env;
  for (const secret of [GITHUB_CLIENT_SECRET, GITHUB_WEBHOOK_SECRET]) {
    expect(client.product.output()).not.toContain(secret);
  }
});

test('nobody else sees or deploys the repositories of a connected account', async () => {
  const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
  expect(await eve.call('GET', '/deploy/repos')).toEqual([]);
  const named = { owner: 'octo', is_public: false };
  const there = await eve.request('POST', '/deploy/branches', { ...named, repo: 'site' });
  const absent = await eve.request('POST', '/deploy/branches', { ...named, repo: 'nope' });
  expect(there.status).toBe(400);
  expect(JSON.stringify(absent.body)).toBe(JSON.stringify(there.body).replaceAll('site', 'nope'));
});
