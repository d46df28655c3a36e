import {
  type DeployAnswer,
  type DeployInstanceAnswer,
  errorBody,
  readRepositoryAddress,
} from '@cannery/contract';
import {
  createApi,
  type GitServer,
  hostileAddresses,
  hostileBranches,
  hostileNames,
  signIn,
  startGitServer,
} from '@cannery/dev-env';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** What the addresses of this test would execute or write, if anything did. */
const CANARY = 'cannery-canary';
let outside: GitServer;
let client: DeployClient;
let commit: string;

beforeAll(async () => {
  outside = await startGitServer();
  commit = await outside.commit('flour/mill', { 'index.html': '<h1>Flour of flour/mill</h1>' });
  await outside.branch('flour/mill', 'feature/stone');
  const hosts = `github.com, ${outside.host}`;
  client = await startDeployClient({
    env: { GIT_HOSTS: hosts, EGRESS_PRIVATE_HOSTS: outside.host, GIT_CA_FILE: outside.caFile },
  });
});
afterAll(async () => {
  await client.dispose();
  await outside.close();
});

interface Refusal {
  readonly status: number;
  readonly text: string;
}

async function post(path: string, body: object): Promise<Refusal> {
  const answer = await fetch(`${client.product.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json: unknown = await answer.json();
  return { status: answer.status, text: answer.status === 200 ? '' : errorBody.parse(json).error };
}

const branchesOf = (url: string): Promise<Refusal> =>
  post('/deploy/branches', { repo: 'mill', owner: 'ada', is_public: true, url });
const create = (url: string): Promise<Refusal> =>
  post('/deploy', {
    name: 'Mill',
    branch: 'main',
    owner: 'ada',
    repo_name: 'mill',
    deploy_type: 'STATIC_SITE',
    is_public: true,
    url,
  });

describe('[DEP-21] [OP-60] a public repository of another host', () => {
  test('is deployed from there, though one of the same name is here', async () => {
    await client.push('mill', { 'index.html': '<h1>Flour of ada/mill</h1>' });
    const url = `${outside.url}/flour/mill.git`;
    const body = { repo: 'mill', owner: 'ada', is_public: true };
    const names = await client.ada.call<{ name: string }[]>('POST', '/deploy/branches', { ...body, url });
    expect(names).toEqual([{ name: 'main' }, { name: 'feature/stone' }]);
    const own = await client.ada.call<{ name: string }[]>('POST', '/deploy/branches', body);
    expect(own).toEqual([{ name: 'main' }]);

    const id = await client.create('mill', 'STATIC_SITE', { branch: 'feature/stone', url });
    const page = `${outside.url}/flour/mill`;
    const stored = { url: page, github_repo_owner: 'flour', repo_name: 'mill', branch: 'feature/stone' };
    expect(await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).toMatchObject(stored);
    const run: DeployInstanceAnswer = await client.run(id);
    expect(run.logs).toContain(`==> Checking out feature/stone of ${page}`);
    expect(run).toMatchObject({ status: 'COMPLETED', commit_id: commit.slice(0, 7) });
    expect((await client.page(id)).text).toContain('Flour of flour/mill');
  });

  test('by an address of this very host is the own one, and that of somebody else does not exist', async () => {
    const url = `${client.product.url}/ada/mill.git`;
    const id = await client.create('mill', 'STATIC_SITE', { url });
    expect(await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).toMatchObject({
      url: null,
      github_repo_owner: 'ada',
    });
    // Other hosts, whose addresses begin like the own one.
    for (const other of [`${client.product.url}0/ada/mill`, `${client.product.url}.evil.example/ada/mill`]) {
      for (const call of [branchesOf, create]) {
        expect(await call(other), other).toMatchObject({
          status: 400,
          text: expect.stringMatching(/^Only addresses with https/),
        });
      }
    }
    const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
    const refusal = (name: string) =>
      eve
        .call('POST', '/deploy/branches', {
          repo: 'x',
          owner: 'x',
          is_public: true,
          url: `${client.product.url}/ada/${name}`,
        })
        .then(() => 'listed', String);
    const [there, absent] = await Promise.all([refusal('mill'), refusal('no-such')]);
    expect(there).toContain('There is no repository ada/mill, or it is not yours.');
    expect(absent).toBe(there.replaceAll('ada/mill', 'ada/no-such'));
  });

  test('that does not exist, or of a host that is not allowed, is refused by both calls with the reason', async () => {
    for (const call of [branchesOf, create]) {
      expect(await call(`${outside.url}/flour/no-such`)).toEqual({
        status: 400,
        text: `There is no repository ${outside.url}/flour/no-such, or it is not public.`,
      });
      const evil = await call('https://evil.example/o/r');
      expect(evil).toMatchObject({
        status: 400,
        text: expect.stringMatching(/^Repositories of evil\.example cannot be deployed here\. /),
      });
    }
  });

  test('whose branch has gone fails with the reason in its log', async () => {
    const id = await client.create('mill', 'STATIC_SITE', {
      branch: 'gone',
      url: `${outside.url}/flour/mill`,
    });
    const { status, logs } = await client.run(id);
    expect(status).toBe('FAILED');
    expect(logs).toContain(`Failed: The branch does not exist at ${outside.url}/flour/mill.`);
  });
});

/** The status of an answer; 413 too where the server ended the connection before it had the whole of a long text. */
async function statusOf(answering: Promise<{ readonly status: number }>): Promise<number> {
  try {
    return (await answering).status;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === 'EPIPE' || code === 'ECONNRESET') return 413;
    throw error;
  }
}

test(`[DEP-21] R5: ${hostileAddresses.length} hostile texts reach no host and run nothing`, async () => {
  expect(new Set(hostileAddresses).size).toBeGreaterThan(150);
  expect(hostileAddresses.filter((text) => !('fault' in readRepositoryAddress(text)))).toEqual([]);
  const before = outside.requests.length;
  const withCanary = [
    '--upload-pack=touch ',
    'ext::sh -c touch% ',
    'https://$(touch ',
    '-oProxyCommand=touch ',
  ].map((start) => `${start}${join(client.folder, CANARY)})/o/r`);
  const texts = [...hostileAddresses.filter((text) => text.trim() !== ''), ...withCanary];
  const own = [
    `${outside.url}/../flour/mill`,
    `${outside.url}/flour/../flour/mill`,
    `${outside.url}:443/flour/mill`,
    `${outside.url}@evil.example/flour/mill`,
    `https://x@${outside.host}/flour/mill`,
    `http://${outside.host}/flour/mill`,
  ];
  const passed: string[] = [];
  for (const text of [...texts, ...own]) {
    const status = await statusOf(branchesOf(text));
    if (status !== 400 && status !== 413) passed.push(`${status} ${text.slice(0, 80)}`);
  }
  expect(passed).toEqual([]);
  expect(outside.requests).toHaveLength(before);
  expect(existsSync(join(client.folder, CANARY))).toBe(false);
  // Owner and name of the plain form are no way around it.
  for (const text of texts.slice(0, 40)) {
    const status = await statusOf(post('/deploy/branches', { repo: text, owner: text, is_public: true }));
    expect([400, 413]).toContain(status);
  }
});

test(`[DEP-21] R5: ${2 * hostileNames.length + hostileBranches.length} hostile owners, names and branches read nothing`, async () => {
  await client.push('mill', { 'index.html': 'the page of the mill' });
  const mill = { owner: 'ada', repo_name: 'mill', branch: 'main', is_public: false };
  expect((await post('/deploy/detect', mill)).status).toBe(200);
  const texts = [
    ...hostileNames.map((text) => ({ ...mill, owner: text })),
    ...hostileNames.map((text) => ({ ...mill, repo_name: text })),
    ...hostileBranches.map((text) => ({ ...mill, branch: text })),
  ];
  const passed: string[] = [];
  for (const body of texts) {
    const { status } = await post('/deploy/detect', body);
    if (status !== 400 && status !== 404) passed.push(`${status} ${JSON.stringify(body).slice(0, 120)}`);
  }
  expect(passed).toEqual([]);
});
