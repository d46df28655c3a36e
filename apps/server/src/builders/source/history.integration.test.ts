import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newestOf } from '../../git/repository/read-refs.ts';
import { createRepository } from '../../git/repository/repository-folder.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';
import { gitConfigFile, gitEnvironmentOf } from '../process/step-environment.ts';
import { checkOutCommit } from './checkout.ts';
import { writeHistory } from './history.ts';

let root: string;
let gitDir: string;
let work: string;
let folders: TestWorkspace;
const { signal } = new AbortController();

/** @param date of the commit, if one is made */
function git(cwd: string, args: readonly string[], date = '2026-01-01T00:00:00Z'): string {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  return execFileSync('git', [...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim();
}

/** What git answers a command of a build in the checkout. */
function inBuild(...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: root, ...gitEnvironmentOf(gitConfigFile) };
  return execFileSync('git', [...args], {
    cwd: folders.disk.source,
    env,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim();
}

function commit(files: Readonly<Record<string, string>>, message: string, date: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  git(work, ['add', '-A']);
  git(work, ['commit', '-q', '-m', message], date);
}

/** Pushes what is committed and checks it out with its history. @returns how many commits it knows */
async function build(from = gitDir, branch: string | null = 'main'): Promise<number> {
  const id = (await newestOf(from, 'main')) ?? '';
  const into = { folder: folders.source, path: '' };
  await checkOutCommit(into, { gitDir: from }, id, signal);
  const address = 'http://localhost:3000/ada/site';
  const scratch = join(root, 'history');
  const known = await writeHistory(into, { gitDir: from, id, branch, address, scratch, signal });
  expect(existsSync(scratch), 'what the server wrote for it is gone').toBe(false);
  return known;
}

const push = (): string => git(work, ['push', '-q', '--follow-tags', gitDir, 'HEAD:refs/heads/main']);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'cannery-history-'));
  ({ gitDir } = await createRepository(join(root, 'git'), 'ada', 'site'));
  folders = await testWorkspace(root);
  work = mkdtempSync(join(root, 'work-'));
  git(work, ['init', '-q', '-b', 'main']);
  commit({ 'docs/one.md': 'one', 'docs/two.md': 'two' }, 'Write both', '2026-01-01T00:00:00Z');
  git(work, ['tag', '-a', 'v1.0.0', '-m', 'First']);
  commit({ 'docs/one.md': 'one, again' }, 'Change one', '2026-02-02T00:00:00Z');
});
afterEach(async () => {
  await folders.remove();
  rmSync(root, { recursive: true, force: true });
});

test('builds ask git for commit, branch, tag and last changes, and have no content of an earlier file', async () => {
  push();
  expect(await build()).toBe(2);
  expect(inBuild('rev-parse', 'HEAD')).toBe(git(work, ['rev-parse', 'HEAD']));
  expect(inBuild('branch', '--show-current')).toBe('main');
  expect(inBuild('describe', '--tags')).toMatch(/^v1\.0\.0-1-g[0-9a-f]{7}$/);
  expect(inBuild('log', '-1', '--format=%cs %s', '--', 'docs/one.md')).toBe('2026-02-02 Change one');
  expect(inBuild('log', '-1', '--format=%cs %s', '--', 'docs/two.md')).toBe('2026-01-01 Write both');
  expect(inBuild('log', '--name-only', '--format=%s')).toContain('docs/two.md');
  expect(inBuild('config', 'remote.origin.url')).toBe('http://localhost:3000/ada/site');
  expect(inBuild('status', '--porcelain'), 'nothing is changed').toBe('');
  writeFileSync(join(folders.disk.source, 'docs', 'two.md'), 'changed');
  expect(inBuild('status', '--porcelain')).toBe('M docs/two.md');
  expect(() => inBuild('show', 'HEAD~1:docs/one.md')).toThrow();
});

test('a commit that is asked for by itself is on no branch', async () => {
  push();
  await build(gitDir, null);
  expect(inBuild('rev-parse', 'HEAD')).toBe(git(work, ['rev-parse', 'HEAD']));
  expect(inBuild('branch', '--show-current')).toBe('');
  expect(inBuild('status', '--porcelain')).toBe('');
});

test('of a repository that has a part of its history itself the checkout has that part', async () => {
  push();
  const part = join(root, 'part.git');
  git(root, ['clone', '-q', '--bare', '--depth=1', `file://${gitDir}`, part]);
  expect(await build(part)).toBe(1);
  expect(inBuild('log', '--format=%s')).toBe('Change one');
  expect(inBuild('rev-parse', '--is-shallow-repository')).toBe('true');
  expect(inBuild('status', '--porcelain')).toBe('');
});

test('of a longer history the checkout has the newest commits', async () => {
  const many = Array.from({ length: 5_100 }, (_, n) =>
    [
      'commit refs/heads/main',
      `committer Ada <ada@example.org> ${1_770_000_000 + n * 60} +0000`,
      `data ${`Change ${n}`.length}`,
      `Change ${n}`,
      ...(n === 0 ? ['from refs/heads/main^0'] : []),
      'M 100644 inline number.txt',
      `data ${String(n).length}`,
      String(n),
      '',
    ].join('\n'),
  );
  execFileSync('git', ['fast-import', '--quiet'], { cwd: work, input: many.join('') });
  push();
  expect(await build()).toBe(5_000);
  expect(inBuild('rev-list', '--count', 'HEAD')).toBe('5000');
  expect(inBuild('log', '-1', '--format=%s')).toBe('Change 5099');
  // It is as old as what is known.
  expect(inBuild('log', '-1', '--format=%s', '--', 'docs/two.md')).toBe('Change 100');
  expect(inBuild('status', '--porcelain')).toBe('');
});

test('names and settings of a hostile repository are not those of the checkout', async () => {
  // What a repository commits for git counts in a clone, but is not taken for the settings of the checkout.
  commit(
    { config: '[core]\n\tfsmonitor = touch pwned\n', HEAD: 'ref: refs/heads/x\n' },
    'Look bare',
    '2026-03-03T00:00:00Z',
  );
  push();
  await build();
  const before = readdirSync(folders.disk.source).sort();
  expect(inBuild('branch', '--show-current')).toBe('main');
  expect(inBuild('status', '--porcelain')).toBe('');
  expect(readdirSync(folders.disk.source).sort()).toEqual(before);
  const config = inBuild('config', '--local', '--list')
    .split('\n')
    .map((line) => line.split('=')[0]);
  expect(config).not.toContain('core.fsmonitor');
});
