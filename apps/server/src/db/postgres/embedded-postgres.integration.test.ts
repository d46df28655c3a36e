import { execFileSync, fork } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { StartError } from '../../errors.ts';
import type { EmbeddedConnection } from '../database.ts';
import { embeddedConnection, startPostgres } from './embedded-postgres.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { asOrdinaryUser, postgresEnvironment } from './postgres-command.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-test-'));
  folders.push(folder);
  return folder;
}

async function select(connection: pg.ClientConfig, sql: string) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('keeps its data over a restart and refuses a second server on the same folder', async () => {
  const dataDir = temporaryFolder();
  const first = await startPostgres({ dataDir });
  await select(first.connection, 'create table kept (n int); insert into kept values (42)');
  await expect(startPostgres({ dataDir })).rejects.toThrow(/Another Cannery is using/);
  await first.stop();

  const second = await startPostgres({ dataDir });
  expect(await select(second.connection, 'select n from kept')).toEqual([{ n: 42 }]);
  await second.stop();
}, 90_000);

test('dies with its server after kill -9, and the next start has every committed row', async () => {
  const dataDir = temporaryFolder();
  const script = path.join(dataDir, 'owner.ts');
  const module = new URL('./embedded-postgres.ts', import.meta.url).href;
  writeFileSync(
    script,
    `import { startPostgres } from ${JSON.stringify(module)};
     const { connection } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)} });
     process.send(connection);
     setInterval(() => {}, 1000);`,
  );
  const owner = fork(script, { execPath: process.execPath });
  const connection = await new Promise<EmbeddedConnection>((resolve) =>
    owner.once('message', (message) => resolve(message as never)),
  );
  await select(connection, 'create table kept (n int); insert into kept values (7)');
  owner.kill('SIGKILL');

  const next = await startPostgres({ dataDir });
  expect(await select(next.connection, 'select n from kept')).toEqual([{ n: 7 }]);
  await next.stop();
}, 60_000);

test('nobody gets in without the password, and nobody at all as the superuser', async () => {
  const postgres = await startPostgres({ dataDir: temporaryFolder() });
  const { host, database, user, password } = postgres.connection;
  const stolen = { host, database };
  for (const attempt of [
    { ...stolen, user: 'postgres' },
    { ...stolen, user: 'postgres', password },
    { ...stolen, user: 'postgres', password: 'postgres' },
    { ...stolen, user },
    { ...stolen, user, password: `${password}x` },
    { ...stolen, user: 'root', password },
  ]) {
    await expect(select(attempt, 'select 1'), JSON.stringify(attempt)).rejects.toThrow(
      /rejects connection|authentication failed|must be a string/,
    );
  }
  expect(await select(postgres.connection, 'select 1 as n')).toEqual([{ n: 1 }]);
  await postgres.stop();
}, 60_000);

test.runIf(process.getuid?.() === 0)(
  'a folder below one that only another user may enter is named, with what to do',
  async () => {
    const closed = path.join(temporaryFolder(), 'closed');
    mkdirSync(path.join(closed, 'data'), { recursive: true });
    chownSync(closed, 12_345, 12_345);
    chmodSync(closed, 0o700);
    const start = startPostgres({ dataDir: path.join(closed, 'data') });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/lets only another user in.*chmod a\+x/);
  },
);

test("the server's role reaches no file, program or other role", async () => {
  const dataDir = temporaryFolder();
  const postgres = await startPostgres({ dataDir });
  const proof = path.join(dataDir, 'proof');
  for (const attack of [
    `copy (select 1) to program 'touch ${proof}'`,
    `create table t (line text); copy t from program 'id'`,
    `copy (select 1) to '${proof}'`,
    `create table t (line text); copy t from '${path.join(dataDir, 'postgres/cannery.password')}'`,
    `select pg_read_file('${path.join(dataDir, 'postgres/cannery.password')}')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `alter system set archive_command = 'touch ${proof}'`,
    'select * from pg_authid',
    'create role other superuser',
    'alter role cannery superuser',
    'alter role postgres login',
    'grant postgres to cannery',
    'set role postgres',
    'set session authorization postgres',
    'create database other',
    `create function f() returns int as '/lib/x86_64-linux-gnu/libc.so.6', 'system' language c`,
  ]) {
    await expect(select(postgres.connection, attack), attack).rejects.toThrow(
      /permission denied|must be superuser|only roles with/i,
    );
  }
  expect(existsSync(proof)).toBe(false);
  await postgres.stop();
}, 60_000);

test('a folder of an earlier version, whose superuser needed no password, keeps its data and is closed', async () => {
  const dataDir = temporaryFolder();
  const cluster = path.join(dataDir, 'postgres');
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error('no Postgres for this platform');
  runTool([binaries.initdb, '-D', cluster, '-A', 'trust', '-U', 'postgres', '--no-locale', '-E', 'UTF8']);
  runTool(
    [binaries.postgres, '--single', '-j', '-D', cluster, '-c', 'exit_on_error=on', 'postgres'],
    `create table old (id serial primary key, n bigint generated always as identity, word text);

insert into old (word) values ('kept');

create schema "Jobs q";

create type "Jobs q".state as enum ('a');

create table "Jobs q"."it's" (s "Jobs q".state);

create view seen as select word from old;

create sequence numbers;

create function twice(n int) returns int language sql as 'select n * 2';

`,
  );
  chmodSync(cluster, 0o750);
  const postgres = await startPostgres({ dataDir });
  expect(statSync(cluster).mode & 0o777).toBe(0o700);
  const asOwner = [
    "insert into old (word) values ('added')",
    'alter table old add column more int',
    'drop view seen',
    'alter table "Jobs q"."it\'s" add column x int',
    `alter type "Jobs q".state add value 'b'`,
    'drop function twice(int)',
    'drop sequence numbers',
    'create schema another',
    'create table created (n int)',
    'drop schema "Jobs q" cascade',
  ];
  for (const statement of asOwner) await select(postgres.connection, statement);
  expect(await select(postgres.connection, 'select word from old order by id')).toEqual([
    { word: 'kept' },
    { word: 'added' },
  ]);
  const { host, database } = postgres.connection;
  await expect(select({ host, database, user: 'postgres' }, 'select 1')).rejects.toThrow(/rejects/);
  await postgres.stop();
}, 60_000);

test('rules that somebody loosened are written again, and a lost password is made again', async () => {
  const dataDir = temporaryFolder();
  const cluster = path.join(dataDir, 'postgres');
  const first = await startPostgres({ dataDir });
  await select(first.connection, 'create table kept (n int); insert into kept values (42)');
  await first.stop();
  writeFileSync(path.join(cluster, 'pg_hba.conf'), 'local all all trust\n');
  rmSync(path.join(cluster, 'cannery.password'));

  const second = await startPostgres({ dataDir });
  const { host, database, user, password } = second.connection;
  expect(password).not.toBe(first.connection.password);
  await expect(select({ host, database, user: 'postgres' }, 'select 1')).rejects.toThrow(/rejects/);
  await expect(select({ ...first.connection, host, user }, 'select 1')).rejects.toThrow(/authentication/);
  expect(await select(second.connection, 'select n from kept')).toEqual([{ n: 42 }]);
  expect(statSync(path.join(cluster, 'cannery.password')).mode & 0o777).toBe(0o600);
  await second.stop();
}, 60_000);

test('the folder of sockets has a name that nobody can guess, and is used again while it is ours alone', async () => {
  const dataDir = temporaryFolder();
  const first = await startPostgres({ dataDir });
  const { host } = first.connection;
  expect(statSync(host).mode & 0o777).toBe(0o700);
  expect(embeddedConnection(dataDir).host).toBe(host);
  await first.stop();
  expect(existsSync(host)).toBe(false);
  expect(() => embeddedConnection(dataDir)).toThrow(/does not run/);

  // A program that has another /tmp than the server does not see it.
  const record = path.join(dataDir, 'postgres.sockets');
  writeFileSync(record, `${host}\n${path.join(dataDir, 'postgres')}\n`);
  expect(() => embeddedConnection(dataDir)).toThrow(/cannot be reached: its socket is in .*PrivateTmp/);

  // Somebody who knows where it was makes it beforehand.
  mkdirSync(host, { mode: 0o777 });
  chmodSync(host, 0o777);
  folders.push(host);
  const second = await startPostgres({ dataDir });
  expect(second.connection.host).not.toBe(host);
  expect(readFileSync(record, 'utf8')).toContain(second.connection.host);
  await second.stop();
}, 60_000);

function runTool(command: readonly string[], input = ''): void {
  const [program = '', ...args] = asOrdinaryUser(command);
  execFileSync(program, args, { input, env: postgresEnvironment(), stdio: ['pipe', 'ignore', 'ignore'] });
}
