import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { EmbeddedKeys } from '../../src/identity/embedded-state.ts';
import { ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

test('an installation of an earlier version keeps the key of its provider, and signs people in with it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-earlier-'));
  const settings = { DATA_DIR: dataDir, IC_URL: NO_NETWORK };
  let server = await startTestServer(settings);
  const db = openDatabase(embeddedConnection(dataDir), 1);
  const { value } = await db
    .selectFrom('server_keys')
    .select('value')
    .where('name', '=', 'embedded-provider')
    .executeTakeFirstOrThrow();
  const made = value as EmbeddedKeys;
  expect(made.jwk).toMatchObject({ alg: 'ES256', crv: 'P-256' });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'earlier', use: 'sig', alg: 'RS256' };
  await db
    .updateTable('server_keys')
    .set({ value: JSON.stringify({ ...made, jwk }) })
    .where('name', '=', 'embedded-provider')
    .execute();
  await db.destroy();
  await server.close();

  server = await startTestServer(settings);
  const ada = await ApiClient.signIn(server.url, 'ada');
  expect((await ada.get('/user/profile')).body).toMatchObject({ username: 'ada' });
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});
