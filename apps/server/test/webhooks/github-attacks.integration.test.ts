import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Repository } from '@cannery/contract';
import { type Api, createApi, type PretendGitHub, signIn, startPretendGitHub } from '@cannery/dev-env';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { beginAt, connect, finishAt, type WayBack } from './github-steps.ts';
import { runsEveryCase } from '../support/every-case.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let github: PretendGitHub;
let server: RunningServer;
let folder: string;
let db: Db;
/** Whom the attacks are aimed at, and who attacks; both have an account at GitHub with the app in it. */
let ada: Api;
let mallory: Api;
let octo: PretendGitHub['world']['accounts'][number];
let evil: PretendGitHub['world']['accounts'][number];
let ofOcto: PretendGitHub['world']['installations'][number];
let ofEvil: PretendGitHub['world']['installations'][number];

beforeAll(async () => {
  github = await startPretendGitHub();
  folder = await mkdtemp(join(tmpdir(), 'cannery-github-'));
  server = await startTestServer({ ...github.env, IC_URL: NO_NETWORK, DATA_DIR: folder, WORKER: 'off' });
  db = openDatabase(embeddedConnection(folder), 2);
  ada = createApi(server.url, await signIn(server.url, 'ada'));
  mallory = createApi(server.url, await signIn(server.url, 'mallory'));
  octo = github.world.account('octo');
  evil = github.world.account('evil');
  github.world.repository('octo/site');
  github.world.repository('evil/own');
  ofOcto = github.world.install(octo);
  ofEvil = github.world.install(evil);
}, 120_000);
afterAll(async () => {
  await db?.destroy();
  await server?.close();
  await github?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await db.deleteFrom('github_installations').execute();
});

async function bound(): Promise<number[]> {
  const rows = await db.selectFrom('github_installations').select('installation_id').execute();
  return rows.map((row) => row.installation_id);
}

/** What mallory brings: her own code, unless another is given. */
async function tryIt(api: Api, back: Partial<WayBack> & { state: string }): Promise<number> {
  const code = github.world.code(api === ada ? octo : evil);
  return (await finishAt(api, { code, ...back })).status;
}

async function refused(attacks: Readonly<Record<string, () => Promise<number>>>): Promise<void> {
  for (const [name, attack] of Object.entries(attacks)) {
    expect([400, 401], name).toContain(await attack());
    expect(await bound(), name).toEqual([]);
  }
}

/** Guessed near the id that is wanted, and anywhere. */
const GUESSES = runsEveryCase ? { near: 1_000, far: 9_000 } : { near: 200, far: 800 };

test(`R10: ${GUESSES.near + GUESSES.far} guessed installation ids bind nothing`, async () => {
  const near = Array.from({ length: GUESSES.near }, (_, index) => ofOcto.id - GUESSES.near / 2 + index);
  const far = Array.from({ length: GUESSES.far }, () => randomInt(1, 2 ** 40));
  const guesses = [...near, ...far].filter((id) => id !== ofEvil.id);
  expect(guesses).toContain(ofOcto.id);
  const passed: number[] = [];
  const next = guesses.values();
  // The near ones go the whole way with a state and a code of her own, the others as far as one state lets them.
  let whole = 0;
  let { state } = await beginAt(mallory);
  const guess = async (): Promise<void> => {
    for (const id of next) {
      whole += 1;
      if (whole <= near.length) ({ state } = await beginAt(mallory));
      if ((await tryIt(mallory, { state, installation_id: id })) === 200) passed.push(id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, guess));
  expect(passed).toEqual([]);
  expect(await bound()).toEqual([]);
  // The same way with what is hers.
  expect((await connect(mallory, github, evil, ofEvil.id)).accounts).toEqual(['evil']);
  const listed = await mallory.call<Repository[]>('GET', '/deploy/repos');
  expect(listed.map(({ owner, name }) => `${owner.login}/${name}`)).toEqual(['evil/own']);
}, 300_000);

test('R10: a state that is forged, foreign, replayed or expired binds nothing', async () => {
  const changed = (state: string, values: object): string =>
    JSON.stringify({ ...JSON.parse(state), ...values });
  const { state: hers } = await beginAt(ada);
  const { secret } = JSON.parse(hers) as { secret: string };
  await refused({
    'no JSON': () => tryIt(mallory, { state: 'state' }),
    null: () => tryIt(mallory, { state: 'null' }),
    'an array': () => tryIt(mallory, { state: '[]' }),
    'no secret': () => tryIt(mallory, { state: changed(hers, { secret: undefined }) }),
    'an empty secret': () => tryIt(mallory, { state: changed(hers, { secret: '' }) }),
    'a made-up secret': () => tryIt(mallory, { state: changed(hers, { secret: 'A'.repeat(43) }) }),
    'a secret that is a pattern': () => tryIt(mallory, { state: changed(hers, { secret: '%'.repeat(43) }) }),
    'secrets in a list': () => tryIt(mallory, { state: changed(hers, { secret: [secret] }) }),
    'a long state': () => tryIt(mallory, { state: changed(hers, { pad: 'x'.repeat(1_500) }) }),
    'the state of the victim': () => tryIt(mallory, { state: hers, installation_id: ofOcto.id }),
    'the state of the victim without an installation': () => tryIt(mallory, { state: hers }),
    // Somebody brings the victim's browser to the address of a connection that is not hers.
    'a state that is sent to the victim': async () =>
      tryIt(ada, { state: (await beginAt(mallory)).state, installation_id: ofOcto.id }),
    'a state of an earlier session of the same user': async () =>
      tryIt(createApi(server.url, await signIn(server.url, 'ada')), {
        code: github.world.code(octo),
        state: hers,
      }),
    'a state without a session': async () =>
      (
        await fetch(`${server.url}/api/github/connected`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code: github.world.code(octo), state: hers }),
        })
      ).status,
  });
  // None of these tries has used up what belongs to her.
  expect(await tryIt(ada, { state: hers, installation_id: ofOcto.id })).toBe(200);
  expect(await bound()).toEqual([ofOcto.id]);
  await db.deleteFrom('github_installations').execute();
  await refused({ replayed: () => tryIt(ada, { state: hers, installation_id: ofOcto.id }) });

  const { state: late } = await beginAt(ada);
  const expiry = db.updateTable('github_attempts');
  await expiry.set({ expires_at: new Date(Date.now() - 1) }).execute();
  await refused({ expired: () => tryIt(ada, { state: late }) });
});

test('R10: what a state says of its user is not believed', async () => {
  const { state } = await beginAt(mallory);
  const { id } = await ada.call<{ id: string }>('GET', '/user/profile/');
  const claims = JSON.stringify({ ...JSON.parse(state), user_id: id, deploy_type: 'CUSTOM' });
  const { status, body } = await finishAt(mallory, { code: github.world.code(evil), state: claims });
  expect({ status, body }).toEqual({
    status: 200,
    body: { accounts: ['evil'], deploy_type: 'STATIC_SITE' },
  });
  expect(await ada.call('GET', '/deploy/repos')).toEqual([]);
});

test('R10: of two that use a state at once, one is served', async () => {
  const { state } = await beginAt(ada);
  const answers = await Promise.all(Array.from({ length: 6 }, () => tryIt(ada, { state })));
  expect(answers.toSorted()).toEqual([200, 400, 400, 400, 400, 400]);
});

test('R10: a code that GitHub does not know, and an app that is gone meanwhile, bind nothing', async () => {
  const state = async (): Promise<string> => (await beginAt(ada)).state;
  const used = github.world.code(octo);
  expect((await finishAt(ada, { code: used, state: await state() })).status).toBe(200);
  await db.deleteFrom('github_installations').execute();
  await refused({
    'made up': async () => tryIt(ada, { code: 'made-up', state: await state() }),
    used: async () => tryIt(ada, { code: used, state: await state() }),
    'of a stranger without the app': async () =>
      tryIt(ada, { code: github.world.code(github.world.account('visitor')), state: await state() }),
    'suspended meanwhile': async () => {
      ofOcto.suspended = true;
      return tryIt(ada, { state: await state(), installation_id: ofOcto.id }).finally(() => {
        ofOcto.suspended = false;
      });
    },
    'uninstalled meanwhile': async () => {
      github.world.uninstall(ofOcto.id);
      return tryIt(ada, { state: await state(), installation_id: ofOcto.id }).finally(() =>
        github.world.installations.push(ofOcto),
      );
    },
  });
  // Every token of a person was given back, whatever came of it.
  expect(github.world.tokens.filter(({ kind, revoked }) => kind === 'user' && !revoked)).toEqual([]);
});

describe('R10: repositories of others', () => {
  test('stay closed to whoever names them, and no token is made for them', async () => {
    await connect(ada, github, octo, ofOcto.id);
    await connect(mallory, github, evil, ofEvil.id);
    const before = github.world.tokens.length;
    const names = [
      { owner: 'octo', repo: 'site' },
      { owner: 'OCTO', repo: 'site' },
      { owner: 'octo/site', repo: 'x' },
      { owner: 'evil', repo: '../octo/site' },
      { owner: 'evil', repo: 'own/../../octo/site' },
      { owner: 'evil', repo: 'site' },
      { owner: 'evil', repo: '..' },
      { owner: 'evil?', repo: 'site' },
    ];
    for (const name of names) {
      const { status } = await mallory.request('POST', '/deploy/branches', { ...name, is_public: false });
      expect(status, JSON.stringify(name)).toBe(400);
      const deploy = { name: 'x', branch: 'main', deploy_type: 'STATIC_SITE', is_public: false };
      const created = await mallory.request('POST', '/deploy', {
        ...deploy,
        owner: name.owner,
        repo_name: name.repo,
      });
      expect(created.status, JSON.stringify(name)).toBe(400);
    }
    const made = github.world.tokens.slice(before);
    expect(made.filter(({ installationId }) => installationId !== ofEvil.id)).toEqual([]);
    expect(github.faults).toEqual([]);
  });

  test('are not what an installation of a shared account opens, unless its person may read them', async () => {
    const guild = github.world.account('guild', 'Organization');
    const installation = github.world.install(guild);
    github.world.repository('guild/vault');
    github.world.repository('guild/door').rights.set('evil', 'read');
    await connect(mallory, github, evil, installation.id);
    const listed = await mallory.call<Repository[]>('GET', '/deploy/repos');
    expect(listed.map(({ name }) => name).toSorted()).toEqual(['door', 'own']);
    const open = (repo: string) =>
      mallory.request('POST', '/deploy/branches', { owner: 'guild', repo, is_public: false });
    expect((await open('door')).status).toBe(200);
    expect((await open('vault')).status).toBe(400);
  });
});

test('an API token of the user can connect nothing', async () => {
  const { secret } = await ada.call<{ secret: string }>('POST', '/api-tokens', {
    label: 'CI',
    scopes: ['deploys:read'],
  });
  const ci = createApi(server.url, secret);
  expect((await ci.request('POST', '/github/connections', {})).status).toBe(403);
});
