import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PushQuota } from './push-quota.ts';
import { createEmbeddedGitHost } from './embedded-host.ts';

const COUNT = 30;
const limits = { repositories: 40, repositoryBytes: 1e9, bytes: 1e9, refs: 100, pushesPerMinute: 60 };
const ada = { id: '1', username: 'ada' };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-listing-'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('[API-27] repositories and branches are listed without a process, and their bytes are counted', async () => {
  const host = createEmbeddedGitHost({ dataDir: folder, publicUrl: () => 'http://console', limits });
  const template = join(import.meta.dirname, '../../../../../examples/static-site');
  await host.addFromFolder(ada, 'notes', template);
  const first = join(host.root, 'ada', 'notes.git');
  for (let index = 1; index < COUNT; index++) {
    cpSync(first, join(host.root, 'ada', `notes-${index}.git`), { recursive: true });
  }
  const repository = { owner: 'ada', name: 'notes', gitDir: first };
  for (const [few, message] of [
    [{ repositoryBytes: 1000 }, /^The repository has reached/],
    [{ bytes: 1000 }, /^Your repositories have reached/],
  ] as const) {
    const quota = new PushQuota(host.root, { ...limits, ...few });
    await expect(quota.warn(repository)).rejects.toThrow(message);
    const turn = await quota.enter('ada');
    await expect(turn.roomFor(repository)).rejects.toThrow(message);
    turn.end();
  }
  // There is no git to be found from here on.
  vi.stubEnv('PATH', folder);
  const [one, other] = await Promise.all([host.listRepositories(ada), host.listRepositories(ada)]);
  expect(one).toHaveLength(COUNT);
  expect(one).toEqual(other);
  for (const { private: hidden, owner } of one) expect([hidden, owner]).toEqual([true, { login: 'ada' }]);
  const names = Array.from({ length: COUNT }, (_, index) => (index === 0 ? 'notes' : `notes-${index}`));
  expect(one.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(new Set(one.map(({ default_branch }) => default_branch))).toEqual(new Set(['main']));
  expect(await host.branches({ owner: 'ada', name: 'notes-1' }, ada)).toEqual(['main']);
});
