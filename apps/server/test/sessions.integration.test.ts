import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeSession,
  findActor,
  forgetExpired,
  issueSignInToken,
  keepAttempt,
  openSession,
  takeAttempt,
  useSignInToken,
} from '../src/features/session/store.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

let database: TestDatabase;
let user: string;
beforeAll(async () => {
  database = await createTestDatabase();
  user = await database.newUser(0n);
});
afterAll(() => database.close());

const justNow = new Date(Date.now() - 1000);
const tables = ['sessions', 'sign_in_tokens', 'sign_in_attempts'] as const;
type Table = (typeof tables)[number];
const expire = (table: Table) => database.db.updateTable(table).set({ expires_at: justNow }).execute();
const rows = async (table: Table) => (await database.db.selectFrom(table).selectAll().execute()).length;

test('[AUTH-11] a session ends when its time is over, and when it is closed', async () => {
  const [expired, closed] = [
    await database.transact((tx) => openSession(tx, user)),
    await database.transact((tx) => openSession(tx, user)),
  ];
  expect(await findActor(database.db, expired)).toMatchObject({ id: user });
  await database.transact((tx) => closeSession(tx, closed));
  expect(await findActor(database.db, closed)).toBeUndefined();
  expect(await findActor(database.db, expired)).toMatchObject({ id: user });
  await expire('sessions');
  expect(await findActor(database.db, expired)).toBeUndefined();
});

test('[AUTH-04] a sign-in token is valid for a minute and works once', async () => {
  const token = await database.transact((tx) => issueSignInToken(tx, user));
  const { expires_at } = await database.db.selectFrom('sign_in_tokens').selectAll().executeTakeFirstOrThrow();
  expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
  expect(await database.transact((tx) => useSignInToken(tx, token))).toEqual({ userId: user });
  expect(await database.transact((tx) => useSignInToken(tx, token))).toBeUndefined();
  const late = await database.transact((tx) => issueSignInToken(tx, user));
  await expire('sign_in_tokens');
  expect(await database.transact((tx) => useSignInToken(tx, late))).toBeUndefined();
});

test('a sign-in that took too long cannot be ended', async () => {
  const attempt = { state: 'state', browser: 'browser', nonce: 'nonce', codeVerifier: 'verifier' };
  await database.transact((tx) => keepAttempt(tx, attempt));
  await expire('sign_in_attempts');
  expect(await database.transact((tx) => takeAttempt(tx, attempt))).toBeUndefined();
});

test('what has expired is deleted, what is valid stays, and no secret is kept as it is', async () => {
  const token = await database.transact((tx) => openSession(tx, user));
  await database.transact(forgetExpired);
  expect(await findActor(database.db, token)).toMatchObject({ id: user });
  for (const table of tables) expect(await rows(table), table).toBe(table === 'sessions' ? 1 : 0);
  expect(JSON.stringify(await database.db.selectFrom('sessions').selectAll().execute())).not.toContain(token);
});
