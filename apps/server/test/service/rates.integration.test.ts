import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

/** What one tenant asks too much of the whole product; all are at one address, as behind one router. */

const CALLS_PER_SECOND = 5;
/** That many calls may come at once, and another tenant's none the fewer. */
const BURST = 10 * CALLS_PER_SECOND;
const SIGN_INS_PER_MINUTE = 12;
/** Clones and pushes of one tenant that run, and that wait. */
const TRANSFERS = 4 + 16;
/** Half of the time after which a client that sends nothing is dropped, and its turn is free; milliseconds. */
const SOON_MS = 15_000;

let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;

beforeAll(async () => {
  server = await startTestServer({
    IC_URL: NO_NETWORK,
    RATE_LIMIT: CALLS_PER_SECOND,
    SIGN_IN_LIMIT: SIGN_INS_PER_MINUTE,
  });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});
afterAll(() => server.close());

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** A repository of the user, and an access token that opens it. */
async function repository(client: ApiClient): Promise<string> {
  expect((await client.post('/repository/templates/static-site', {})).status).toBe(200);
  return String((await client.post('/repository/tokens', { label: 'x' })).body.secret);
}

test('fetches that never end take the turns of their tenant, and nobody waits for them', async () => {
  const [secret, other] = [await repository(eve), await repository(ada)];
  const answered: (number | undefined)[] = [];
  const open: ClientRequest[] = Array.from({ length: TRANSFERS + 5 }, () => {
    const fetching = request(`${server.url}/eve/static-site.git/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
        'content-type': 'application/x-git-upload-pack-request',
      },
    });
    fetching.on('response', (answer) => answered.push(answer.resume().statusCode));
    fetching.on('error', () => undefined).write('0');
    return fetching;
  });
  try {
    await expect.poll(() => answered).toEqual([429, 429, 429, 429, 429]);
    const address = `${server.url.replace('://', `://x:${other}@`)}/ada/static-site.git`;
    const start = performance.now();
    expect(await git(['ls-remote', address], tmpdir())).toContain('refs/heads/main');
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    expect(answered).toHaveLength(5);
  } finally {
    for (const fetching of open) fetching.destroy();
  }
});

test('calls of one tenant beyond the rate are refused, with a time to come back; those of another are not', async () => {
  const start = performance.now();
  const flood = Promise.all(Array.from({ length: 4 * BURST }, () => eve.get('/user/profile')));
  for (let call = 0; call < 10; call += 1) expect((await ada.get('/user/profile')).status).toBe(200);
  const answers = await flood;
  expect(Object.keys(statuses(answers))).toEqual(['200', '429']);
  expect(statuses(answers)[429]).toBeGreaterThan(BURST / 2);
  // Time earns new calls, of which a busy machine leaves more.
  const earned = Math.ceil((CALLS_PER_SECOND * (performance.now() - start)) / 1_000);
  expect(statuses(answers)[200]).toBeLessThanOrEqual(BURST + earned);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe('rate_limited');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('whoever guesses tokens is stopped after some, and who is signed in at the same address goes on', async () => {
  // The session of somebody who has called lately is known.
  expect((await ada.get('/user/profile')).status).toBe(200);
  const guesses: Answer[] = [];
  const start = performance.now();
  for (let guess = 0; guess < 2 * SIGN_INS_PER_MINUTE; guess += 1) {
    guesses.push(await new ApiClient(server.url, `guess-${guess}`).get('/user/profile'));
  }
  // Time earns new tries, of which a busy machine leaves more.
  const earned = Math.ceil((SIGN_INS_PER_MINUTE * (performance.now() - start)) / 60_000);
  expect(statuses(guesses)[401]).toBeLessThanOrEqual(SIGN_INS_PER_MINUTE + earned);
  expect(statuses(guesses.slice(SIGN_INS_PER_MINUTE))[429]).toBeGreaterThan(0);
  expect((await ada.get('/user/profile')).status).toBe(200);
}, 90_000);
