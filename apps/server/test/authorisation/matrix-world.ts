import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '@cannery/contract';
import { createApi, pushFolder } from '@cannery/dev-env';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { hashSecret, newSecret } from '../../src/secrets.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { listenForRoutes } from './announced-routes.ts';
import { ApiClient, Browser } from '../support/client.ts';
import { type Holdings, keyFor } from './filled-calls.ts';
import { KEPT_FILE, type SignInUnderWay } from './other-routes.ts';
import { LfsClient } from '../support/lfs-client.ts';
import { pngOf } from '../support/pictures.ts';
import { startTestServer } from '../support/server.ts';
import { dumpState } from './state-dump.ts';
import { type Stranger, strangeCookiesOf, strangersOf } from './strangers.ts';
import { openWire, type Wire } from '../support/wire.ts';

/** A signed-in user who has one of everything. */
export interface Resident {
  readonly client: ApiClient;
  readonly userId: string;
  readonly holdings: Holdings;
  /** Secret of the access token for git. */
  readonly gitToken: string;
  readonly apiTokens: ApiTokens;
  /** Texts that no answer to anybody else may hold. */
  readonly marks: readonly string[];
}

/** Secrets of API tokens of a resident. */
interface ApiTokens {
  readonly read: string;
  readonly run: string;
  readonly both: string;
  /** With both scopes, limited to a deploy that is not the one of the holdings. */
  readonly elsewhere: string;
  /** That other deploy. */
  readonly otherDeploy: string;
}

/** A running product with two users, and everybody who is neither. */
export interface MatrixWorld {
  readonly url: string;
  readonly wire: Wire;
  /** Rows such as `GET /api/deploy/:id`. */
  readonly routes: ReadonlySet<string>;
  readonly ada: Resident;
  readonly eve: Resident;
  /** Signed in a moment ago, has nothing and stays nowhere. */
  newcomer(): Promise<ApiClient>;
  /** Names like Ada's, of things that do not exist. */
  readonly absent: Holdings;
  readonly strangers: readonly Stranger[];
  /** The same as cookies, which the pages of repositories read. */
  readonly strangeCookies: readonly Stranger[];
  /** Ada's sign-in that is under way in her browser, and one that nobody has begun. */
  readonly signIns: { readonly ada: SignInUnderWay; readonly nobody: SignInUnderWay };
  dump(): Promise<string[]>;
  /**
   * A canister of a user with code and a snapshot, stopped, and a module of hers.
   * @param key idempotency key of its creation
   */
  freshCanister(
    client: ApiClient,
    key?: string,
  ): Promise<Pick<Holdings, 'canister' | 'document' | 'snapshot'>>;
  /** A deploy of a user that has not run. */
  freshDeploy(resident: Resident): Promise<Pick<Holdings, 'deploy'>>;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module like no other: its only section has a name that is made up. */
export function newModule(): Buffer {
  const name = randomUUID();
  return Buffer.from([...HEADER, 0, name.length + 1, name.length, ...Buffer.from(name)]);
}

/** What an upload takes, like no other. */
export function newFileFor({ upload }: Endpoint): Buffer {
  return upload === 'icon' ? pngOf(randomUUID()) : newModule();
}

export async function openMatrixWorld(): Promise<MatrixWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-matrix-'));
  const routes = listenForRoutes();
  const server = await startTestServer({ DATA_DIR: dataDir, OPENING_BALANCE_T: '1000', SITE_PICTURES: 'on' });
  routes.stop();
  const db = openDatabase(embeddedConnection(dataDir), 4);
  const watcher = Ed25519KeyIdentity.generate();
  const ic = createIcClient({ icUrl: server.networkUrl, identity: watcher });

  const ok = async (
    client: ApiClient,
    path: string,
    body: object,
    headers = {},
  ): Promise<Record<string, unknown>> => {
    const answer = await client.post(path, body, headers);
    expect(answer.status, `${path}: ${answer.body.error}`).toBe(200);
    return answer.body;
  };

  const freshCanister: MatrixWorld['freshCanister'] = async (client, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const created = await ok(client, '/canister/create', { name: 'Kept from others' }, headers);
    const { canister_id: canister } = created.data as { canister_id: string };
    const document = await client.uploadWasm(newModule());
    await ok(client, '/canister/install', { canister_id: canister, identifier: document });
    const { body } = await client.get(`/canister/details/${canister}`);
    const controllers = [String(body.console_principal), watcher.getPrincipal().toText()];
    await ok(client, '/canister/settings', { canister_id: canister, settings: { controllers } });
    await ok(client, '/canister/stop', { canister_id: canister });
    const taken = await ok(client, '/canister/snapshot/take', { canister_id: canister });
    return { canister, document, snapshot: String(taken.id) };
  };

  /** Id of a second session of a user. */
  const otherSession = async (name: string): Promise<string> => {
    const other = await ApiClient.signIn(server.url, name);
    return String((await other.list('/session')).find(({ current }) => current)?.id);
  };

  const openApiTokens = async (client: ApiClient, source: object): Promise<ApiTokens & { id: string }> => {
    const { id: otherDeploy } = await ok(client, '/deploy', { name: 'Elsewhere', ...source });
    const open = (scopes: string[], limit = {}) =>
      ok(client, '/api-tokens', { label: 'Made for the matrix', scopes, ...limit });
    const both = ['deploys:read', 'deploys:run'];
    const [read, run, all, elsewhere] = [
      await open(['deploys:read']),
      await open(['deploys:run']),
      await open(both),
      await open(both, { deploy_ids: [otherDeploy] }),
    ];
    return {
      id: String(read.id),
      read: String(read.secret),
      run: String(run.secret),
      both: String(all.secret),
      elsewhere: String(elsewhere.secret),
      otherDeploy: String(otherDeploy),
    };
  };

  /** A run that was refused for its interface and then approved: whoever approves it again gets the id of that approval. */
  const approvedRun = async (client: ApiClient, deploy: string): Promise<string> => {
    const run = {
      deploy_id: deploy,
      user_id: String((await client.get('/user/profile')).body.id),
      commit_id: null,
      commit_message: null,
      duration_ms: 1,
      started_at: new Date(),
      finished_at: new Date(),
    };
    const refused = { ...run, id: randomUUID(), status: 'FAILED', trigger_by: 'MANUAL' } as const;
    const approval = { ...run, id: randomUUID(), status: 'COMPLETED', trigger_by: 'APPROVAL' } as const;
    await db.insertInto('deploy_instances').values(refused).execute();
    await db
      .insertInto('deploy_instances')
      .values({ ...approval, source_id: refused.id })
      .execute();
    return refused.id;
  };

  /** A rollback that is live in a deploy; what it has replaced is kept, so that it can be undone. */
  const liveRollback = async (userId: string, deploy: string, kept: string): Promise<string> => {
    const [before, rollback] = [randomUUID(), randomUUID()];
    const run = { deploy_id: deploy, user_id: userId, status: 'COMPLETED', duration_ms: 1 } as const;
    const over = {
      ...run,
      commit_id: null,
      commit_message: null,
      started_at: new Date(),
      finished_at: new Date(),
    };
    await db
      .insertInto('deploy_instances')
      .values({ ...over, id: before, trigger_by: 'MANUAL' })
      .execute();
    const replaced = { source_id: before, replaced_run_id: before };
    await db
      .insertInto('deploy_instances')
      .values({ ...over, id: rollback, trigger_by: 'ROLLBACK', ...replaced })
      .execute();
    await sql`insert into run_artifacts (instance_id, deploy_id, user_id, identifier, size, canisters)
      select ${before}, ${deploy}, user_id, identifier, size, canisters from run_artifacts
      where instance_id = ${kept}`.execute(db);
    await db.updateTable('deploys').set({ live_run_id: rollback }).where('id', '=', deploy).execute();
    return rollback;
  };

  /** A deploy of a repository of another git host, which nobody has to ask for that, and the id of its webhook. */
  const openHook = async (client: ApiClient, source: object): Promise<Pick<Holdings, 'outside' | 'hook'>> => {
    const { id } = await ok(client, '/deploy', { name: 'From elsewhere', ...source });
    const outside = String(id);
    const url = { repo_url: 'https://git.example/flour/mill' };
    await db.updateTable('deploys').set(url).where('id', '=', outside).execute();
    const { address } = await ok(client, `/deploy/${outside}/hook`, {});
    return { outside, hook: String(address).split('/').at(-1) ?? '' };
  };

  const settleIn = async (name: string): Promise<Resident> => {
    const client = await ApiClient.signIn(server.url, name);
    const repository = `${name}-notes`;
    const folder = await mkdtemp(join(tmpdir(), 'cannery-notes-'));
    await writeFile(
      join(folder, 'main.mo'),
      'persistent actor { public query func of() : async Text { "them" } }',
    );
    const api = createApi(server.url, client.token);
    const commit = await pushFolder({ productUrl: server.url, api, folder, owner: name, name: repository });
    await rm(folder, { recursive: true });
    const { secret, id: token } = await ok(client, '/repository/tokens', { label: `${name}-laptop` });
    await new LfsClient(server.url, `${name}/${repository}`, String(secret)).upload(KEPT_FILE);
    const source = { owner: name, repo_name: repository, branch: 'main' };
    const { id: deploy } = await ok(client, '/deploy', {
      name: `${name}-code`,
      deploy_type: 'MOTOKO',
      ...source,
    });
    const { id: instance } = await ok(client, `/deploy/${deploy}/trigger`, {});
    // A run that has succeeded can be rolled back to, and its module can be added to a registry.
    const run = `/deploy/${deploy}/instances/${instance}`;
    await vi.waitFor(async () => expect((await client.get(run)).body.status).toBe('COMPLETED'), WAIT_MS);
    const refused = await approvedRun(client, String(deploy));
    const { id: apiToken, ...apiTokens } = await openApiTokens(client, source);
    const running = await freshCanister(client, name === 'ada' ? keyFor('/canister/create') : undefined);
    const kept = { name: `${name}-module`, identifier: running.document };
    const offered = await ok(client, '/marketplace/submit', {
      name: 'For everybody',
      git_url: 'https://example.org/for/everybody',
      description: 'Everybody may see this',
      version: '1.0.0',
      wasm: await client.uploadWasm(newModule()),
    });
    const userId = String((await client.get('/user/profile')).body.id);
    const elsewhere = await openHook(client, source);
    const holdings: Holdings = {
      ...running,
      ...elsewhere,
      rollback: await liveRollback(userId, elsewhere.outside, String(instance)),
      dapp: String(offered.data),
      version: String((await client.list(`/marketplace/versions/${offered.data}`))[0]?.id),
      registry: String((await ok(client, '/registry/add', kept)).id),
      deploy: String(deploy),
      instance: String(instance),
      refused,
      token: String(token),
      apiToken,
      icon: await client.uploadIcon(pngOf(name)),
      session: await otherSession(name),
      product: String((await client.list('/products'))[0]?.id),
      repository,
      commit,
      owner: name,
    };
    const { owner: _public, dapp: _dapp, version: _version, ...ids } = holdings;
    const marks = [
      ...Object.values(ids),
      userId,
      client.token,
      String(secret),
      apiTokens.read,
      apiTokens.run,
      apiTokens.both,
      apiTokens.elsewhere,
      `${name}-laptop`,
      `${name}-module`,
    ];
    return { client, userId, holdings, gitToken: String(secret), apiTokens, marks };
  };

  const [ada, eve] = [await settleIn('ada'), await settleIn('eve')];
  const [expired, gone] = [
    await ApiClient.signIn(server.url, 'ada'),
    await ApiClient.signIn(server.url, 'ada'),
  ];
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('token_hash', '=', hashSecret(expired.token))
    .execute();
  await ok(gone, '/auth/logout', {});
  const { id: revoked, secret: revokedGitToken } = await ok(ada.client, '/repository/tokens', {
    label: 'revoked',
  });
  await fetch(`${server.url}/api/repository/tokens/${revoked}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ada.client.token}` },
  });
  // Not the one of the holdings, which a later call deletes.
  const spare = () => ok(ada.client, '/api-tokens', { label: 'spare', scopes: ['deploys:read'] });
  const [deletedApiToken, expiredApiToken] = [await spare(), await spare()];
  await ada.client.delete(`/api-tokens/${deletedApiToken.id}`);
  await db
    .updateTable('api_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', String(expiredApiToken.id))
    .execute();
  const landing = await new Browser().signIn(server.url, 'ada');
  const secrets = {
    userId: ada.userId,
    valid: ada.client.token,
    expired: expired.token,
    signedOut: gone.token,
    hash: hashSecret(ada.client.token),
    gitToken: ada.gitToken,
    revokedGitToken: String(revokedGitToken),
    apiToken: ada.apiTokens.both,
    deletedApiToken: String(deletedApiToken.secret),
    expiredApiToken: String(expiredApiToken.secret),
    signInToken: landing.searchParams.get('token') ?? '',
  };
  const wire = openWire(server.url);

  return {
    url: server.url,
    wire,
    routes: routes.rows,
    ada,
    eve,
    newcomer: () => ApiClient.signIn(server.url, 'newcomer'),
    absent: absentLike(ada.holdings),
    strangers: strangersOf(secrets),
    strangeCookies: strangeCookiesOf(secrets),
    signIns: {
      ada: await beginSignIn(server.url),
      nobody: { uid: newSecret().slice(0, 21), state: newSecret() },
    },
    freshCanister,
    async freshDeploy({ client, holdings: { owner, repository } }) {
      const source = { owner, repo_name: repository, branch: 'main' };
      const { id } = await ok(client, '/deploy', { name: 'To be deleted', ...source });
      return { deploy: String(id) };
    },
    dump: () => dumpState({ db, dataDir, ic, canisters: [ada.holdings.canister, eve.holdings.canister] }),
    async close() {
      wire.close();
      await db.destroy();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A sign-in that waits for a name in a separate browser. */
async function beginSignIn(url: string): Promise<SignInUnderWay> {
  const browser = new Browser();
  const start = await browser.visit(`${url}/api/auth/google/`);
  const provider = new URL(start.headers.get('location') ?? '', url);
  const page = await browser.follow(provider.href);
  expect(page.response.status).toBe(200);
  return {
    uid: page.url.pathname.split('/').at(-1) ?? '',
    state: provider.searchParams.get('state') ?? '',
  };
}

/** Of the same form and length, so that an answer that repeats them is as long. */
function absentLike(holdings: Holdings): Holdings {
  const other = (text: string): string => text.slice(0, -2) + (text.endsWith('00') ? '11' : '00');
  return {
    canister: 'bkyz2-fmaaa-aaaaa-qaaaq-cai',
    document: other(holdings.document),
    icon: other(holdings.icon),
    snapshot: other(holdings.snapshot),
    registry: randomUUID(),
    dapp: randomUUID(),
    version: randomUUID(),
    deploy: randomUUID(),
    outside: randomUUID(),
    hook: randomUUID(),
    instance: randomUUID(),
    refused: randomUUID(),
    rollback: randomUUID(),
    token: randomUUID(),
    apiToken: randomUUID(),
    session: randomUUID(),
    product: randomUUID(),
    repository: 'abe-notes',
    commit: other(holdings.commit),
    owner: 'abe',
  };
}
