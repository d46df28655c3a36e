import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/start-server.ts';
import { runOperatorCommand } from '../service/operator-command.ts';
import { challengeFor, delegated, proofOf, send, signIn } from '../sessions/delegations.ts';
import { callbackOf, changed, thieves, tokenOf } from '../sessions/sign-in-steps.ts';
import { addressOf, createTestDatabase } from '../support/database.ts';
import { ApiClient, Browser } from '../support/client.ts';
import { sendRaw } from '../support/send-raw.ts';
import { startTestServer } from '../support/server.ts';
import { askRepository } from './ask-repository.ts';

type Line = Record<string, unknown> & { readonly security: string };

const WEBHOOK_SECRET = 'a secret of the app at GitHub';
/** Calls a second of one user; ten times as many come at once. */
const RATE = 20;

let folder: string;
let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
/** Everything that the log has had, as it was written. */
const written: string[] = [];
/** Secrets that the tests have used: none of them may be in the log. */
const secrets: string[] = [];

/** Lines of the security log since the test began. */
let begun = 0;
const lines = (): Line[] =>
  written.slice(begun).flatMap((text) => {
    const line = JSON.parse(text) as Line;
    return 'security' in line ? [line] : [];
  });
const events = (): string[] => lines().map(({ security }) => security);
/** The only line of an event. */
const one = (event: string): Line => {
  const found = lines().filter(({ security }) => security === event);
  expect(found).toHaveLength(1);
  return found[0] as Line;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-security-log-'));
  dataDir = join(folder, 'data');
  const keyFile = join(folder, 'app.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  server = await startTestServer({
    DATA_DIR: dataDir,
    NETWORK_SERVICES: 'internet-identity',
    SIGN_IN_INTERNET_IDENTITY: 'on',
    SECURITY_LOG: 'on',
    WORKER: 'off',
    RATE_LIMIT: RATE,
    GITHUB_APP_ID: 1,
    GITHUB_APP_SLUG: 'cannery',
    GITHUB_CLIENT_ID: 'client',
    GITHUB_CLIENT_SECRET: 'secret of the client',
    GITHUB_PRIVATE_KEY_FILE: keyFile,
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    writeLog: (line) => written.push(line),
  });
  [ada, eve] = [await ApiClient.signIn(server.url, 'ada'), await ApiClient.signIn(server.url, 'eve')];
  secrets.push(ada.token, eve.token, WEBHOOK_SECRET);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  begun = written.length;
});
afterEach(() => {
  const log = written.slice(begun).join('');
  for (const secret of secrets) expect(log).not.toContain(secret);
  for (const line of lines()) expect(JSON.stringify(line).length).toBeLessThan(600);
});

const userOf = async (client: ApiClient): Promise<string> =>
  String((await client.get('/user/profile')).body['id']);

async function apiToken(client: ApiClient): Promise<{ id: string; client: ApiClient }> {
  const { status, body } = await client.post('/api-tokens', {
    label: 'ci',
    scopes: ['deploys:read'],
  });
  expect(status).toBe(200);
  const secret = String(body['secret']);
  secrets.push(secret);
  return { id: String(body['id']), client: new ApiClient(server.url, secret) };
}

async function gitToken(client: ApiClient): Promise<{ id: string; secret: string }> {
  const { body } = await client.post('/repository/tokens', { label: 'laptop' });
  secrets.push(String(body['secret']));
  return { id: String(body['id']), secret: String(body['secret']) };
}

describe('sign-ins', () => {
  test('one that completes is one line, with who, from where, by what and the request', async () => {
    const cy = await ApiClient.signIn(server.url, 'cy');
    expect(events()).toEqual(['sign_in_completed']);
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        request_id: expect.stringMatching(/^[\w-]{8,40}$/),
        security: 'sign_in_completed',
        provider: 'embedded',
        user: await userOf(cy),
        address: '127.0.0.1',
        msg: 'A user has signed in',
      },
    ]);
  });

  test("the code of a sign-in in another browser, and another's single-use token, are refused", async () => {
    const victim = new Browser();
    const callback = await callbackOf(server.url, victim, 'ada');
    await new Browser().visit(callback.href);
    expect(one('sign_in_refused')).toMatchObject({ provider: 'embedded', address: '127.0.0.1' });
    const token = await tokenOf(server.url, victim, 'ada');
    secrets.push(token);
    await thieves['in a browser without cookies']?.(server.url, victim, token);
    expect(events()).toEqual(['sign_in_refused', 'sign_in_refused']);
  });

  test('one that is cancelled, or that its provider does not confirm, has failed', async () => {
    const browser = new Browser();
    const page = await browser.follow(`${server.url}/api/auth/google/`);
    await browser.follow(`${page.url.href}/cancel`, { method: 'POST', body: new URLSearchParams() });
    expect(one('sign_in_failed')).toMatchObject({ provider: 'embedded' });
    const forged = new Browser();
    const callback = await callbackOf(server.url, forged, 'ada');
    await forged.visit(changed(callback, { code: 'made-up' }).href);
    expect(events()).toEqual(['sign_in_failed', 'sign_in_failed']);
  });

  test('the page of the embedded sign-in in another browser, and without a name', async () => {
    const browser = new Browser();
    const page = await browser.follow(`${server.url}/api/auth/google/`);
    await new Browser().visit(page.url.href);
    expect(events()).toEqual(['sign_in_refused']);
    await browser.visit(page.url.href, { method: 'POST', body: new URLSearchParams({ login: '' }) });
    expect(one('input_refused')).toMatchObject({ code: 'invalid_input' });
  });

  test('Internet Identity: completed, refused for a challenge of another browser, failed by its signature', async () => {
    const { origin } = new URL(server.url);
    const alice = await delegated(server.networkUrl, { origin });
    const token = await signIn(server.url, new Browser(), alice);
    secrets.push(token);
    expect(one('sign_in_completed')).toMatchObject({
      provider: 'internet_identity',
      user: await userOf(new ApiClient(server.url, token)),
    });
    const browser = new Browser();
    const challenge = await challengeFor(server.url, browser);
    await send(server.url, new Browser(), await proofOf(alice, challenge, origin));
    expect(one('sign_in_refused')).toMatchObject({ provider: 'internet_identity', address: '127.0.0.1' });
    await send(server.url, browser, await proofOf(alice, challenge, 'https://evil.example'));
    expect(one('sign_in_failed')).toMatchObject({ provider: 'internet_identity' });
  });
});

test('sign-out, a session that its user ends, and all of them', async () => {
  const sessions = await Promise.all(['dan', 'dan', 'dan'].map((name) => ApiClient.signIn(server.url, name)));
  const [first, second] = sessions as [ApiClient, ApiClient];
  const user = await userOf(first);
  begun = written.length;
  await first.post('/auth/logout', {});
  expect(lines()).toMatchObject([{ security: 'sign_out', user, address: '127.0.0.1' }]);
  // It is over already, which is no event.
  await first.post('/auth/logout', {});
  expect(events()).toEqual(['sign_out']);
  const [other] = (await second.list('/session')).filter(({ current }) => current !== true);
  await second.delete(`/session/${String(other?.['id'])}`);
  await second.delete('/session');
  expect(lines().slice(1)).toMatchObject([
    { security: 'session_ended', sessions: 'one', user },
    { security: 'session_ended', sessions: 'all', user },
  ]);
});

test('an API token that is created, used and deleted; its second use within the hour is no line', async () => {
  const user = await userOf(ada);
  const { id, client } = await apiToken(ada);
  for (let use = 0; use < 20; use += 1) expect((await client.get('/deploy')).status).toBe(200);
  expect((await ada.delete(`/api-tokens/${id}`)).status).toBe(200);
  expect(lines()).toMatchObject([
    { security: 'api_token_created', token_id: id, user },
    { security: 'api_token_used', token_id: id, user, address: '127.0.0.1' },
    { security: 'api_token_deleted', token_id: id, user },
  ]);
  await client.get('/deploy');
  expect(one('credential_refused')).toMatchObject({ credential: 'api_token', route: '/api/deploy' });
});

test('an access token of the git host that is created, used, refused and deleted', async () => {
  const user = await userOf(ada);
  const { id, secret } = await gitToken(ada);
  expect(await askRepository(server.url, 'ada/site.git', secret, 'git-receive-pack')).toBe(200);
  expect(await askRepository(server.url, 'ada/site.git', secret)).toBe(200);
  // git asks without a password first, which nobody has refused.
  expect(await askRepository(server.url, 'ada/site.git')).toBe(401);
  await ada.delete(`/repository/tokens/${id}`);
  expect(lines()).toMatchObject([
    { security: 'git_token_created', token_id: id, user },
    { security: 'git_token_used', token_id: id, user, address: '127.0.0.1' },
    { security: 'git_token_deleted', token_id: id, user },
  ]);
  expect(await askRepository(server.url, 'ada/site.git', secret)).toBe(401);
  expect(one('git_credential_refused')).toMatchObject({
    address: '127.0.0.1',
    route: '/:owner/:repo/info/refs',
  });
});

describe('refusals', () => {
  test('of a session that is none, and of a call without one', async () => {
    const made = randomBytes(32).toString('base64url');
    secrets.push(made);
    expect((await new ApiClient(server.url, made).get('/user/profile')).status).toBe(401);
    expect((await fetch(`${server.url}/api/user/profile`)).status).toBe(401);
    expect(lines()).toMatchObject(
      ['session', 'none'].map((credential) => ({
        security: 'credential_refused',
        credential,
        method: 'GET',
        route: '/api/user/profile',
        address: '127.0.0.1',
      })),
    );
  });

  test('of a right: an API token without the scope', async () => {
    const { client, id } = await apiToken(ada);
    expect((await client.post('/canister/create', { name: 'Mill' })).status).toBe(403);
    expect(one('right_refused')).toMatchObject({ code: 'not_allowed', user: await userOf(ada) });
    await ada.delete(`/api-tokens/${id}`);
  });

  test("somebody else's thing is told in the log, and answers like one that does not exist", async () => {
    const { id } = await apiToken(ada);
    begun = written.length;
    const nobodys = randomUUID();
    const [theirs, absent] = [
      await eve.delete(`/api-tokens/${id}`),
      await eve.delete(`/api-tokens/${nobodys}`),
    ];
    expect(theirs.status).toBe(404);
    expect(theirs.body).toEqual(absent.body);
    const user = await userOf(eve);
    expect(lines()).toMatchObject(
      [id, nobodys].map((thing) => ({
        security: 'foreign_or_absent',
        thing,
        user,
        method: 'DELETE',
        route: '/api/api-tokens/:id',
      })),
    );
    // The same page by nobody, and an address that nothing is at, are nobody's attempt to get at something.
    await fetch(`${server.url}/api/no-such-thing/${id}`);
    expect(events()).toHaveLength(2);
    await ada.delete(`/api-tokens/${id}`);
  });

  test("somebody else's repository, by git", async () => {
    const { secret } = await gitToken(eve);
    expect(await askRepository(server.url, 'ada/site.git', secret)).toBe(404);
    expect(one('foreign_or_absent')).toMatchObject({ user: await userOf(eve), code: 'repository_not_found' });
  });

  test('of input: by a schema, by length, and what is no HTTP', async () => {
    const hostile = 'x\n{"security":"sign_in_completed"}';
    expect((await ada.post('/api-tokens', { label: hostile, scopes: [hostile] })).status).toBe(400);
    expect(one('input_refused')).toMatchObject({ code: 'invalid_input', route: '/api/api-tokens' });
    expect((await ada.post('/api-tokens', { label: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413);
    expect((await sendRaw(server.url, '/%zz', {})).status).toBe(400);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end('NOT HTTP\r\n\r\n').resume();
    await expect.poll(events).toEqual(Array.from({ length: 4 }, () => 'input_refused'));
    expect(written.slice(begun).join('')).not.toContain('sign_in_completed');
    for (const line of lines().slice(2))
      expect(line).toMatchObject({ code: 'invalid_input', address: '127.0.0.1' });
  });

  test('of more than a rule allows', async () => {
    const poor = await ApiClient.signIn(server.url, 'poor');
    const { status } = await poor.post('/api-tokens', {
      label: 'ci',
      scopes: ['deploys:read'],
      deploy_ids: [randomUUID()],
    });
    expect(status).toBe(404);
    for (let made = 0; made < 50; made += 1)
      await poor.post('/api-tokens', { label: 'ci', scopes: ['deploys:read'] });
    const { body } = await poor.post('/api-tokens', { label: 'ci', scopes: ['deploys:read'] });
    expect(body['code']).toBe('quota_reached');
    expect(lines().find(({ security }) => security === 'rule_refused')).toMatchObject({
      code: 'quota_reached',
    });
  });

  test('of another host name, and of a page of another origin', async () => {
    expect((await sendRaw(server.url, '/api/config', { host: 'evil.example' })).status).toBe(421);
    expect(one('host_refused')).toMatchObject({ address: '127.0.0.1' });
    await fetch(`${server.url}/api/user/profile`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' },
    });
    expect(one('origin_refused')).toMatchObject({ address: '127.0.0.1' });
    expect(written.slice(begun).join('')).not.toContain('evil');
  });

  test('of deliveries to webhooks without their secret', async () => {
    const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'x-github-event': 'push' };
    const deploy = await fetch(`${server.url}/api/hooks/deploy/${randomUUID()}`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(deploy.status).toBe(404);
    const github = await fetch(`${server.url}/api/hooks/github`, { method: 'POST', headers, body: '{}' });
    expect(github.status).toBe(401);
    expect(lines()).toMatchObject([
      { security: 'webhook_refused', webhook: 'deploy', address: '127.0.0.1' },
      { security: 'webhook_refused', webhook: 'github', address: '127.0.0.1' },
    ]);
  });

  test('at the internal door of a git role', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const keyFile = join(folder, 'secrets.key');
    await writeFile(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
    const role = await startServer({
      ROLE: 'git',
      HOST: '127.0.0.1',
      PORT: 0,
      DATA_DIR: join(folder, 'git'),
      DATABASE_URL: addressOf(database),
      SECRETS_KEY_FILE: keyFile,
      PUBLIC_URL: 'https://cannery.example',
      OIDC_ISSUER: 'https://accounts.example',
      OIDC_CLIENT_ID: 'client',
      OIDC_CLIENT_SECRET: 'secret',
      LOG_LEVEL: 'silent',
      writeLog: (line) => written.push(line),
    });
    try {
      const answer = await fetch(`${role.url}/internal/git/call`, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(404);
      expect(one('door_refused')).toMatchObject({ method: 'POST', address: '127.0.0.1' });
    } finally {
      await role.close();
    }
  });
});

test('commands of the operator write a line on standard error', async () => {
  const user = await userOf(ada);
  const on = { SECURITY_LOG: 'on' };
  const deposit = await runOperatorCommand('deposit', dataDir, ['--user', 'ada', '--cycles', '1'], on);
  const signOut = await runOperatorCommand('sign-out', dataDir, ['--user', 'eve'], on);
  const [deposited, signedOut] = [deposit, signOut].map(
    ({ output }) => JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? 'null') as unknown,
  );
  expect(deposited).toMatchObject({ security: 'operator_command', command: 'deposit', user });
  expect(signedOut).toMatchObject({ security: 'operator_command', command: 'sign-out' });
});

test('a flood of one user is ten lines, and at the end one that says how many more there were', async () => {
  const loud = await ApiClient.signIn(server.url, 'loud');
  const user = await userOf(loud);
  begun = written.length;
  const calls = RATE * 10 + 200;
  const statuses = await Promise.all(
    Array.from({ length: calls }, async () => (await loud.get('/user/profile')).status),
  );
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(50);
  expect(lines()).toHaveLength(10);
  expect(lines()[0]).toMatchObject({ security: 'rate_exceeded', code: 'rate_limited' });
  await server.close();
  const more = lines()
    .slice(10)
    .filter(({ security }) => security === 'rate_exceeded');
  expect(more).toMatchObject([{ security: 'rate_exceeded', more: refused - 10 }]);
  // What the rate refuses is refused before anybody knows whose it is.
  expect(JSON.stringify(more)).not.toContain(user);
});
