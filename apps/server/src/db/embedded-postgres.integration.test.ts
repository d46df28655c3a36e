import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { startPostgres } from './embedded-postgres.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-test-'));
  folders.push(folder);
  return folder;
}

async function select(connection: { host: string; database: string; user: string }, sql: string) {
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
  const connection = await new Promise<{ host: string; database: string; user: string }>((resolve) =>
    owner.once('message', (message) => resolve(message as never)),
  );
  await select(connection, 'create table kept (n int); insert into kept values (7)');
  owner.kill('SIGKILL');

  const next = await startPostgres({ dataDir });
  expect(await select(next.connection, 'select n from kept')).toEqual([{ n: 7 }]);
  await next.stop();
}, 60_000);
