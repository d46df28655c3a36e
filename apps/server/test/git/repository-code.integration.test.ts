import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RepositoryCode } from '@cannery/contract';
import { git } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let folder: string;
let server: RunningServer;
let ada: ApiClient;
let eve: ApiClient;
let work: string;
let remote: string;
let first: string;
let second: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-code-'));
  server = await startTestServer({ IC_URL: NO_NETWORK, DATA_DIR: join(folder, 'data') });
  ada = await ApiClient.signIn(server.url, 'ada');
  eve = await ApiClient.signIn(server.url, 'eve');
  const secret = String((await ada.post('/repository/tokens', { label: 'x' })).body.secret);
  remote = `${server.url.replace('://', `://x:${secret}@`)}/ada/site.git`;
  work = join(folder, 'work');
  mkdirSync(join(work, 'src/deep'), { recursive: true });
  await git(['init', '-q', '-b', 'main'], work);
  writeFileSync(join(work, 'src/deep/a.ts'), 'one\n');
  first = await push('First');
  writeFileSync(join(work, 'src/deep/a.ts'), 'two\n');
  writeFileSync(join(work, 'odd *[a] %2f#?.txt'), 'odd');
  writeFileSync(join(work, ':(top)x'), 'magic');
  writeFileSync(join(work, 'binary'), Buffer.from([0, 1, 2]));
  writeFileSync(join(work, 'latin1'), Buffer.from([0xe9, 0x0a]));
  writeFileSync(join(work, 'large'), 'a'.repeat(512 * 1024 + 1));
  symlinkSync('../../etc/passwd', join(work, 'link'));
  second = await push('Second');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function push(message: string): Promise<string> {
  await git(['add', '-A'], work);
  await git(['commit', '-q', '-m', message], work);
  await git(['push', '-q', remote, 'main'], work);
  return (await git(['rev-parse', 'HEAD'], work)).trim();
}

const ask = (commit: string, path?: string, who = ada) =>
  who.get(
    `/repository/code/ada/site?${new URLSearchParams({ commit, ...(path === undefined ? {} : { path }) })}`,
  );

async function codeOf(commit: string, path?: string): Promise<RepositoryCode> {
  const { status, body } = await ask(commit, path);
  expect(status, path).toBe(200);
  return body as unknown as RepositoryCode;
}

test('a commit has its folders, and each file as it was then', async () => {
  const root = await codeOf(second);
  expect(root).toMatchObject({
    owner: 'ada',
    name: 'site',
    path: '',
    kind: 'folder',
    text: null,
    more_entries: false,
    commit: { id: second, subject: 'Second', author: 'Ada' },
  });
  expect(root.entries).toContainEqual({ path: 'src', kind: 'folder', size: 0 });
  expect(root.entries).toContainEqual({ path: 'binary', kind: 'file', size: 3 });
  expect((await codeOf(second, 'src')).entries).toEqual([{ path: 'deep', kind: 'folder', size: 0 }]);
  expect((await codeOf(second, 'src/deep')).entries).toEqual([{ path: 'a.ts', kind: 'file', size: 4 }]);
  expect(await codeOf(second, 'src/deep/a.ts')).toMatchObject({
    kind: 'file',
    text: 'two\n',
    size: 4,
    entries: [],
  });
  expect((await codeOf(first, 'src/deep/a.ts')).text).toBe('one\n');
  expect((await codeOf(first)).entries).toEqual([{ path: 'src', kind: 'folder', size: 0 }]);
});

test('names are names: no pattern, no magic of git, no link that is followed', async () => {
  expect((await codeOf(second, 'odd *[a] %2f#?.txt')).text).toBe('odd');
  expect((await codeOf(second, ':(top)x')).text).toBe('magic');
  expect(await codeOf(second, 'link')).toMatchObject({ kind: 'link', text: '../../etc/passwd' });
  for (const none of [
    '*',
    's*',
    'src/',
    '/src',
    'src//deep',
    'src/../src',
    '.',
    '..',
    '../x',
    ':/',
    ':(glob)*',
    'link/x',
    'src/deep/a.ts/x',
    '-r',
    'SRC',
    'a\nb',
    'x'.repeat(4096),
  ]) {
    expect((await ask(second, none)).status, none).toBe(404);
  }
  expect((await ask(second, 'x'.repeat(4097))).status).toBe(400);
});

test('what is no text, or is too large, is not sent', async () => {
  for (const [name, size] of [
    ['binary', 3],
    ['latin1', 2],
    ['large', 512 * 1024 + 1],
  ] as const)
    expect(await codeOf(second, name)).toMatchObject({ kind: 'file', text: null, size });
});

test('a folder of many files is listed up to a limit', async () => {
  mkdirSync(join(work, 'many'));
  for (let n = 0; n < 1_001; n += 1) writeFileSync(join(work, 'many', `${n}`), '');
  const many = await codeOf(await push('Many'), 'many');
  expect([many.entries.length, many.more_entries]).toEqual([1_000, true]);
});

test('other commits and users get nothing', async () => {
  const tree = (await git(['rev-parse', 'HEAD^{tree}'], work)).trim();
  for (const commit of [
    '0'.repeat(40),
    'main',
    'HEAD',
    second.slice(0, 7),
    `${second}^`,
    '--all',
    '-p',
    `${second}:src`,
  ])
    expect((await ask(commit)).status, commit).toBe(404);
  expect((await ask(tree)).status).toBe(404);
  expect((await ask(second, 'src', eve)).status).toBe(404);
  expect((await ask(second, undefined, eve)).body).toEqual((await ask('0'.repeat(40), undefined, eve)).body);
});
