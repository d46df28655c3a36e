import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createApi, git, type Product, signIn, startProduct } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backupLoad, runBackupCommand } from '../../crash/backup-load.ts';
import { listFiles } from '../../src/backup/backup-files.ts';
import { checkBackup } from '../../src/backup/manifest.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

const SECRET = 'tok-8d1f0a52-b1f3';

let client: DeployClient;
let site: string;
let commit: string;
/** As the server tells them that was asked last. */
let refs: string;
let passphrase: string;
let backup: string;
let output: string;
beforeAll(async () => {
  client = await startDeployClient();
  await client.push('pages', { 'index.html': 'peaches' });
  commit = await headOf(client.product, await tokenOf(client.product), ODD_REFS);
  site = await client.create('pages', 'STATIC_SITE', {
    build_command: 'printf %s "$TOKEN" | sha256sum > hash.txt',
  });
  const variables = [
    { name: 'TOKEN', value: SECRET, secret: true },
    { name: 'ODD', value: ODD_TEXT, secret: false },
  ];
  await client.ada.call('PATCH', `/deploy/${site}`, { variables });
  const run = await client.run(site);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  passphrase = join(client.folder, 'passphrase');
  writeFileSync(passphrase, 'a can of twelve peaches\n');
  backup = join(client.folder, 'backup');
  const DATA_DIR = client.product.dataDir;
  ({ output } = await runBackupCommand('backup', ['--to', backup, '--with-keys', passphrase], { DATA_DIR }));
}, 300_000);
afterAll(() => client?.dispose());

async function tokenOf(product: Product): Promise<string> {
  const api = createApi(product.url, await signIn(product.url, 'ada'));
  return (await api.call<{ secret: string }>('POST', '/repository/tokens', { label: 'test' })).secret;
}

/** A line separator is no end of a line to git, to Postgres and to JSON. */
const ODD_TEXT = 'one\u2028line\u0085, still\rone';
/** Names that git allows: with a line separator, a space that does not break, and a mark of the order of bytes. */
const ODD_REFS = ['refs/tags/one\u2028two', 'refs/heads/one\u00a0two', 'refs/heads/\ufeffmain'];

/** The newest commit of the repository, as a clone gets it. @param pushed refs that are made of it */
async function headOf(product: Product, secret: string, pushed: readonly string[] = []): Promise<string> {
  const work = join(client.folder, `clone-${randomBytes(4).toString('hex')}`);
  const remote = new URL('/ada/pages.git', product.url);
  remote.username = 'ada';
  remote.password = secret;
  mkdirSync(work);
  await git(['clone', '-q', remote.href, 'pages'], work);
  if (pushed.length > 0)
    await git(['push', '-q', 'origin', ...pushed.map((ref) => `HEAD:${ref}`)], join(work, 'pages'));
  refs = await git(['ls-remote', 'origin'], join(work, 'pages'));
  return (await git(['rev-parse', 'HEAD'], join(work, 'pages'))).trim();
}

function refusalOf(command: 'backup' | 'restore', args: readonly string[], dataDir: string): Promise<string> {
  return runBackupCommand(command, args, { DATA_DIR: dataDir }).then(
    () => 'it was not refused',
    (error: { stderr?: string }) => error.stderr ?? '',
  );
}

test('an empty folder becomes what the backed up one was: users, books, canisters, repositories, artifacts and secrets', async () => {
  expect(output).toMatch(/Payments stood still for \d+ ms/);
  const { ada, product } = client;
  const before = {
    transactions: await ada.call('GET', '/transactions/'),
    insights: await ada.call('GET', '/getInsights/'),
    deploy: await ada.call<{ canisters: string[] }>('GET', `/deploy/${site}`),
  };
  const dataDir = join(client.folder, 'restored');
  const args = ['--from', backup, '--with-keys', passphrase];
  const restored = await runBackupCommand('restore', args, { DATA_DIR: dataDir });
  expect(restored.output).toContain('Everybody has to sign in again');
  const copy = await startProduct({ dataDir });
  try {
    // Sessions end, whoever they were of.
    expect((await createApi(copy.url, ada.token).request('GET', '/transactions/')).status).toBe(401);
    const again = createApi(copy.url, await signIn(copy.url, 'ada'));
    expect(await again.call('GET', '/transactions/')).toEqual(before.transactions);
    expect(await again.call('GET', '/getInsights/')).toEqual(before.insights);
    const { variables } = await again.call<{ variables: { value: string | null }[] }>(
      'GET',
      `/deploy/${site}`,
    );
    expect(variables.map(({ value }) => value)).toContain(ODD_TEXT);
    const [canister] = before.deploy.canisters;
    const page = async (path: string) =>
      (await fetch(`${copy.networkUrl}${path}?canisterId=${canister}`)).text();
    expect(await page('/')).toBe('peaches');
    const hash = createHash('sha256').update(SECRET).digest('hex');
    expect(await page('/hash.txt')).toContain(hash);
    const kept = refs;
    expect(await headOf(copy, await tokenOf(copy))).toBe(commit);
    expect(refs).toBe(kept);
    for (const ref of ODD_REFS) expect(refs).toContain(ref);
    // A run builds with the secret; going back publishes the artifact that was kept.
    const finished = async (id: string) => {
      for (;;) {
        const run = await again.call<{ status: string; logs: string }>(
          'GET',
          `/deploy/${site}/instances/${id}`,
        );
        if (run.status === 'COMPLETED' || run.status === 'FAILED') return run;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const { data: runs } = await again.call<{ data: { id: string }[] }>('GET', `/deploy/${site}/instances`);
    const run = await again.call<{ id: string }>('POST', `/deploy/${site}/trigger`, {});
    expect(await finished(run.id)).toMatchObject({ status: 'COMPLETED' });
    expect(await page('/hash.txt')).toContain(hash);
    const path = `/deploy/${site}/instances/${runs[0]?.id}/rollback`;
    const back = await again.call<{ id: string }>('POST', path, {});
    expect(await finished(back.id)).toMatchObject({ status: 'COMPLETED' });
  } finally {
    await copy.stop();
  }
  expect(product.dataDir).not.toBe(dataDir);
  // Neither an unwilling nor a second restore writes over what is there.
  expect(await refusalOf('restore', args, dataDir)).toContain('is not empty');
}, 300_000);

test('a backup is the operator’s alone, says no secret, and one that was cut off is none', async () => {
  const { files, folders } = await listFiles(backup);
  for (const path of files) expect(statSync(join(backup, path)).mode & 0o777, path).toBe(0o600);
  for (const path of folders) expect(statSync(join(backup, path)).mode & 0o777, path).toBe(0o700);
  const key = readFileSync(join(client.product.dataDir, 'secrets.key'), 'utf8').trim();
  for (const path of files) expect(readFileSync(join(backup, path)).includes(key), path).toBe(false);
  expect(existsSync(join(client.folder, '.backup.unfinished'))).toBe(false);
  expect(await refusalOf('backup', ['--to', backup], client.product.dataDir)).toContain('is there already');
  const unfinished = join(client.folder, '.other.unfinished');
  mkdirSync(join(unfinished, 'database'), { recursive: true });
  const dataDir = join(client.folder, 'none');
  expect(await refusalOf('restore', ['--from', unfinished], dataDir)).toContain('is no backup');
});

test('what is damaged, missing, added, of another version or sealed by other words is refused before anything is written', async () => {
  const dataDir = join(client.folder, 'untouched');
  const bad = join(client.folder, 'bad');
  const check = () =>
    checkBackup(bad).then(
      () => 'it was not refused',
      (error: Error) => error.message,
    );
  const copy = () => {
    rmSync(bad, { recursive: true, force: true });
    cpSync(backup, bad, { recursive: true });
  };
  const { output: whole } = await runBackupCommand('backup', ['--check', backup], { DATA_DIR: dataDir });
  expect(whole).toContain('The backup is whole');

  copy();
  const { files } = await listFiles(bad);
  for (const path of files.filter((_, place) => place % 5 === 0)) {
    const at = join(bad, path);
    const bytes = readFileSync(at);
    if (bytes.length === 0) continue;
    const flipped = Buffer.from(bytes);
    const place = Math.floor(bytes.length / 2);
    flipped.writeUInt8(flipped.readUInt8(place) ^ 4, place);
    writeFileSync(at, flipped);
    expect(await check(), path).toMatch(/damaged/);
    writeFileSync(at, bytes);
    break;
  }
  const rows = join(bad, 'database/users.rows.gz');
  truncateSync(rows, 5);
  expect(await check()).toContain('database/users.rows.gz is not what was written');
  rmSync(rows);
  expect(await check()).toContain('database/users.rows.gz is missing');
  symlinkSync('/etc/passwd', rows);
  expect(await check()).toContain('neither a file nor a folder');
  copy();
  writeFileSync(join(bad, 'git/more'), '');
  expect(await check()).toContain('git/more is not in its manifest');

  copy();
  const manifest = JSON.parse(readFileSync(join(bad, 'manifest.json'), 'utf8')) as Record<string, unknown>;
  const write = (changes: object) => {
    const text = JSON.stringify({ ...manifest, ...changes });
    writeFileSync(join(bad, 'manifest.json'), text);
    writeFileSync(join(bad, 'manifest.sha256'), createHash('sha256').update(text).digest('hex'));
  };
  write({ version: '2.0.0' });
  expect(await check()).toContain('Another major version');
  write({ migrations: [...(manifest['migrations'] as string[]), '9999-tomorrow'] });
  expect(await refusalOf('restore', ['--from', bad, '--without-keys'], dataDir)).toContain('A newer version');
  const words = join(client.folder, 'other-words');
  writeFileSync(words, 'a can of twelve plums');
  expect(await refusalOf('restore', ['--from', backup], dataDir)).toContain('The backup has keys');
  expect(await refusalOf('restore', ['--from', backup, '--with-keys', words], dataDir)).toContain(
    'do not open',
  );
  // It has begun, and nothing starts on what it left.
  await expect(startProduct({ dataDir })).rejects.toThrow('was cut off');
}, 240_000);

test('a server that finds a database of a newer version says so and goes', async () => {
  const dataDir = client.product.dataDir;
  const database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  await database.query("insert into kysely_migration (name, timestamp) values ('9999-tomorrow', 'now')");
  await database.end();
  await client.product.stop();
  await expect(client.product.restart()).rejects.toThrow(/A newer version of Cannery .*9999-tomorrow/);
}, 60_000);

test('payments go on during a backup, and the books of a restored one agree with its canisters to the cycle', async () => {
  const { findings, kept, canisters, payments } = await backupLoad({
    clients: 8,
    backups: 1,
    pauseMs: 1_500,
    seed: 3,
  });
  expect(findings).toEqual([]);
  expect(kept[0]).toBeGreaterThan(0);
  expect(canisters[0]).toBeGreaterThan(0);
  expect(payments).toBeGreaterThan(kept[0] ?? 0);
}, 300_000);
