import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { runOperatorCommand } from '../service/operator-command.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let dataDir: string;
let server: RunningServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-sign-out-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const signOut = (...args: string[]) => runOperatorCommand('sign-out', dataDir, args);

const statusOf = async (client: ApiClient) => (await client.get('/deploy')).status;

test('an operator ends the sessions of a user, then the tokens, then what everybody has', async () => {
  const [ada, again, eve] = [
    await ApiClient.signIn(server.url, 'ada'),
    await ApiClient.signIn(server.url, 'ada'),
    await ApiClient.signIn(server.url, 'eve'),
  ];
  const { body } = await ada.post('/api-tokens', { label: 'ci', scopes: ['deploys:read'] });
  const token = new ApiClient(server.url, String(body['secret'] ?? body['token']));
  const all = async () => Promise.all([ada, again, token, eve].map(statusOf));
  expect(await all()).toEqual([200, 200, 200, 200]);

  expect(await signOut('--user', 'ADA')).toEqual({
    code: 0,
    output: 'Sessions that have ended: 2. Tokens still work; --with-tokens deletes them.\n',
  });
  await expect.poll(all).toEqual([401, 401, 200, 200]);

  expect(await signOut('--user', 'ada', '--with-tokens')).toEqual({
    code: 0,
    output: 'Sessions that have ended: 0. Tokens that are deleted: 1.\n',
  });
  await expect.poll(all).toEqual([401, 401, 401, 200]);

  expect((await signOut('--everybody')).code).toBe(0);
  await expect.poll(all).toEqual([401, 401, 401, 401]);
  // Nobody is locked out.
  expect(await statusOf(await ApiClient.signIn(server.url, 'ada'))).toBe(200);
});

test.each([
  [[], 'Name one user, or everybody.'],
  [['--user', 'ada', '--everybody'], 'Name one user, or everybody.'],
  [['--user', 'nobody'], 'There is no user nobody.'],
  [['--nonsense'], '--nonsense'],
])('%j is refused in a sentence, and nobody is signed out', async (args, reason) => {
  const ada = await ApiClient.signIn(server.url, 'ada');
  const { code, output } = await signOut(...args);
  expect(code).toBe(1);
  expect(output).toContain(reason);
  expect(output).not.toContain('    at ');
  expect(await statusOf(ada)).toBe(200);
});
