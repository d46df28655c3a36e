import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  issueSignInToken,
  keepAttempt,
  takeAttempt,
  useSignInToken,
} from '../../src/features/session/sign-in-store.ts';
import {
  closeSession,
  endAllSessions,
  endSession,
  findSession,
  forgetExpired,
  listSessions,
  MAX_SESSIONS,
  openSession,
} from '../../src/features/session/store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let user: string;
beforeAll(async () => {
  database = await createTestDatabase();
  user = await database.newUser(0n);
});
afterAll(() => database.close());

const HOUR_MS = 3_600_000;
const justNow = new Date(Date.now() - 1000);
const tables = ['sessions', 'sign_in_tokens', 'sign_in_attempts'] as const;
type Table = (typeof tables)[number];
const expire = (table: Table) => database.db.updateTable(table).set({ expires_at: justNow }).execute();
const rows = async (table: Table) => (await database.db.selectFrom(table).selectAll().execute()).length;
const open = (device = 'Firefox on Linux', userId = user) =>
  database.transact((tx) => openSession(tx, { userId, device }));
const actorOf = async (token: string, idleMs = HOUR_MS) =>
  (await findSession(database.db, token, idleMs))?.actor;
const used = (ago: number) =>
  database.db
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - ago) })
    .execute();

test('[AUTH-11] a session ends when its time is over, and when it is closed', async () => {
  const [expired, closed] = [await open(), await open()];
  expect(await actorOf(expired)).toMatchObject({ id: user });
  await database.transact((tx) => closeSession(tx, closed));
  expect(await actorOf(closed)).toBeUndefined();
  expect(await actorOf(expired)).toMatchObject({ id: user });
  await expire('sessions');
  expect(await actorOf(expired)).toBeUndefined();
});

test('of too many sessions of a user those end that were not used for longest', async () => {
  const [userId, other] = [await database.newUser(0n), await database.newUser(0n)];
  const stays = await open('Edge', other);
  const [left, kept] = [await open('Opera', userId), await open('Safari', userId)];
  await used(60_000);
  await database.db
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 120_000) })
    .where('device', '=', 'Opera')
    .execute();
  let last = '';
  for (let count = 0; count < MAX_SESSIONS - 1; count += 1) last = await open('Firefox', userId);
  expect(await actorOf(left)).toBeUndefined();
  for (const token of [kept, last]) expect(await actorOf(token)).toMatchObject({ id: userId });
  expect(await actorOf(stays)).toMatchObject({ id: other });
  const listed = await listSessions(database.db, { userId, token: last, idleMs: HOUR_MS });
  expect(listed).toHaveLength(MAX_SESSIONS);
});

test('[AUTH-11] a session that nobody used for the set time ends, and is deleted', async () => {
  const token = await open();
  await used(HOUR_MS - 60_000);
  expect(await actorOf(token)).toMatchObject({ id: user });
  await used(HOUR_MS + 1000);
  expect(await actorOf(token)).toBeUndefined();
  expect(await listSessions(database.db, { userId: user, token, idleMs: HOUR_MS })).toEqual([]);
  await database.transact((tx) => forgetExpired(tx, HOUR_MS));
  expect(await rows('sessions')).toBe(0);
});

test('sessions are listed to their user only, the last used first, and end one by one or all', async () => {
  const [other, own] = [await open('curl'), await open()];
  const stranger = await database.newUser(0n);
  const foreign = await open('Safari on iPhone', stranger);
  await database.db
    .updateTable('sessions')
    .set({ last_used_at: new Date(Date.now() - 120_000) })
    .where('device', '=', 'curl')
    .execute();
  const list = () => listSessions(database.db, { userId: user, token: own, idleMs: HOUR_MS });
  const shown = await list();
  expect(shown.map(({ device, current }) => [device, current])).toEqual([
    ['Firefox on Linux', true],
    ['curl', false],
  ]);
  expect(JSON.stringify(shown)).not.toContain(own);
  const id = shown[1]?.id ?? '';
  expect(await database.transact((tx) => endSession(tx, { userId: stranger, id }))).toBe(false);
  expect(await actorOf(other)).toBeDefined();
  expect(await database.transact((tx) => endSession(tx, { userId: user, id }))).toBe(true);
  expect(await actorOf(other)).toBeUndefined();
  await database.transact((tx) => endAllSessions(tx, user));
  expect(await list()).toEqual([]);
  expect(await actorOf(foreign)).toMatchObject({ id: stranger });
  await database.transact((tx) => endAllSessions(tx, stranger));
});

test('[AUTH-04] a sign-in token is valid for a minute, works once, and in one browser', async () => {
  const browser = 'the browser that began';
  const token = await database.transact((tx) => issueSignInToken(tx, { userId: user, browser }));
  const { expires_at } = await database.db.selectFrom('sign_in_tokens').selectAll().executeTakeFirstOrThrow();
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  const use = (from: string, what = token) =>
    database.transact((tx) => useSignInToken(tx, { token: what, browser: from }));
  expect(await use('another browser')).toBeUndefined();
  expect(await use(browser)).toEqual({ userId: user });
  expect(await use(browser)).toBeUndefined();
  const late = await database.transact((tx) => issueSignInToken(tx, { userId: user, browser }));
  await expire('sign_in_tokens');
  expect(await use(browser, late)).toBeUndefined();
});

test('a sign-in that took too long cannot be ended', async () => {
  const attempt = { state: 'state', browser: 'browser', nonce: 'nonce', codeVerifier: 'verifier' };
  await database.transact((tx) => keepAttempt(tx, attempt));
  await expire('sign_in_attempts');
  expect(await database.transact((tx) => takeAttempt(tx, attempt))).toBeUndefined();
});

test('what has expired is deleted, what is valid stays, and no secret is kept as it is', async () => {
  const token = await open();
  await database.transact((tx) => forgetExpired(tx, HOUR_MS));
  expect(await actorOf(token)).toMatchObject({ id: user });
  for (const table of tables) expect(await rows(table), table).toBe(table === 'sessions' ? 1 : 0);
  expect(JSON.stringify(await database.db.selectFrom('sessions').selectAll().execute())).not.toContain(token);
});
