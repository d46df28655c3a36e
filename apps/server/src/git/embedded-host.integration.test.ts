import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEmbeddedGitHost, LISTING_PROCESSES } from './embedded-host.ts';

const COUNT = 30;
const ada = { id: '1', username: 'ada' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-listing-'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a git on the search path that notes its begin and end, and answers how many ran at the same time at most. */
function watchGit(): () => { most: number; all: number } {
  const log = join(folder, 'git.log');
  const programs = join(folder, 'programs');
  const script = join(programs, 'git');
  mkdirSync(programs);
  const path = process.env.PATH ?? '';
  writeFileSync(log, '');
  writeFileSync(
    script,
    `#!/bin/sh\necho + >>'${log}'\nPATH='${path}' git "$@"\ncode=$?\necho - >>'${log}'\nexit $code\n`,
  );
  chmodSync(script, 0o700);
  vi.stubEnv('PATH', `${programs}:${path}`);
  return () => {
    let running = 0;
    let most = 0;
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    for (const line of lines) {
      running += line === '+' ? 1 : -1;
      most = Math.max(most, running);
    }
    return { most, all: lines.length / 2 };
  };
}

test('many repositories are listed with a few processes at a time, for all callers together', async () => {
  const host = createEmbeddedGitHost({ dataDir: folder, publicUrl: () => 'http://console' });
  const template = join(import.meta.dirname, '../../../../examples/static-site');
  await host.addFromFolder(ada, 'notes', template);
  const first = join(host.root, 'ada', 'notes.git');
  for (let index = 1; index < COUNT; index++) {
    cpSync(first, join(host.root, 'ada', `notes-${index}.git`), { recursive: true });
  }
  const processes = watchGit();
  const [one, other] = await Promise.all([host.listRepositories(ada), host.listRepositories(ada)]);
  expect(one).toHaveLength(COUNT);
  expect(one).toEqual(other);
  expect(new Set(one.map(({ default_branch }) => default_branch))).toEqual(new Set(['main']));
  const { most, all } = processes();
  expect(all).toBe(2 * COUNT);
  expect(most).toBeLessThanOrEqual(LISTING_PROCESSES);
});
