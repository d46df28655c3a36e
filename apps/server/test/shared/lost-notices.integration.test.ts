import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type Notices, openNotices, tell } from '../../src/jobs/notices.ts';
import { createLogger } from '../../src/log/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Often and soon, so that the test need not wait. */
const patience = { tryMs: 100, answerMs: 300 };

let database: TestDatabase;
let notices: Notices;
let line: Awaited<ReturnType<typeof openLine>>;
let heard: (string | undefined)[];

/** A line to the database that can go dead in silence, as one does through a firewall that has forgotten it. */
async function openLine(socket: string) {
  let isDead = false;
  const near: Socket[] = [];
  const server = createServer((client) => {
    const far = connect(socket);
    const isOfDead = isDead;
    near.push(client);
    let dead = isOfDead;
    client.on('data', (chunk) => (dead || isDead ? (dead = true) : far.write(chunk)));
    far.on('data', (chunk) => (dead || isDead ? (dead = true) : client.write(chunk)));
    for (const one of [client, far]) one.on('error', () => undefined);
    client.on('close', () => far.destroy());
    far.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    kill(is: boolean) {
      isDead = is;
    },
    cut() {
      for (const socketOf of near) socketOf.destroy();
    },
    async close() {
      for (const socketOf of near) socketOf.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

beforeEach(async () => {
  database = await createTestDatabase();
  const { host, user, password, database: name } = await embeddedConnection(database.folder);
  line = await openLine(join(host, '.s.PGSQL.5432'));
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${line.port}/${name}`;
  notices = openNotices({
    connection: { connectionString },
    log: createLogger({ logLevel: 'silent' }),
    patience,
  });
  heard = [];
  notices.watch('subject', (what) => heard.push(what));
  // The first connection is a gap as well: what was told before it was not heard.
  await expect.poll(() => heard).toEqual([undefined]);
});
afterEach(async () => {
  await notices.stop();
  await line.close();
  await database.close();
});

const say = (what: string) => database.transact((tx) => tell(tx, `subject ${what}`));

test('a connection that is cut is followed by a look at everything, and news come again', async () => {
  await say('one');
  await expect.poll(() => heard).toEqual([undefined, 'one']);
  line.cut();
  await say('lost');
  await expect.poll(() => heard).toEqual([undefined, 'one', undefined]);
  await say('two');
  await expect.poll(() => heard).toEqual([undefined, 'one', undefined, 'two']);
});

test('a connection that goes dead without a word is noticed, and followed by a look at everything', async () => {
  line.kill(true);
  await say('lost');
  // It is tried, and does not answer.
  await expect.poll(() => heard, { timeout: 200 }).toEqual([undefined]);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(heard).toEqual([undefined]);
  line.kill(false);
  await expect.poll(() => heard).toEqual([undefined, undefined]);
  await say('two');
  await expect.poll(() => heard).toEqual([undefined, undefined, 'two']);
});
