import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const BACKLOG = 200;

let dataDir: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-fairness-'));
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
});

afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a tenant with two hundred calls that hang keeps no other tenant waiting', async () => {
  const database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  try {
    // Whatever reads deploys waits until this transaction ends, and holds a database connection meanwhile.
    await database.query('begin');
    await database.query('lock table deploys in access exclusive mode');
    let answered = 0;
    const backlog = Array.from({ length: BACKLOG }, async () => {
      const { status } = await eve.get('/deploy');
      answered += 1;
      return status;
    });
    for (let call = 0; call < 10; call += 1) {
      expect((await ada.get('/user/profile')).status).toBe(200);
      expect((await ada.get('/deploy/repos')).status).toBe(200);
    }
    expect(answered).toBe(0);
    await database.query('rollback');
    expect(new Set(await Promise.all(backlog))).toEqual(new Set([200]));
  } finally {
    await database.end();
  }
});
