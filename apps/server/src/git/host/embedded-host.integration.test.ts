import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PushQuota } from './push-quota.ts';
import { createEmbeddedGitHost } from './embedded-host.ts';

const COUNT = 30;
const RENAMES = 200;
const template = join(import.meta.dirname, '../../../../../examples/static-site');
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

test('whoever asks for a repository while it gets other names is told its id, or that it is not there', async () => {
  const other = mkdtempSync(join(folder, 'renamed-'));
  const host = createEmbeddedGitHost({ dataDir: other, publicUrl: () => 'http://console', limits });
  await host.addFromFolder(ada, 'a', template);
  const { id } = await host.identify({ owner: 'ada', name: 'a' }, ada);
  const watcher = { renamed: async () => undefined, removed: async () => undefined };
  let isOver = false;
  const seen = new Set<string>();
  const ask = async (asked: { name: string; id?: string }): Promise<void> => {
    while (!isOver)
      seen.add(
        await host.identify({ owner: 'ada', ...asked }, ada).then(
          (found) => found.id,
          (error: { code?: string }) => `${error.code}`,
        ),
      );
  };
  const asking = Promise.all([ask({ name: 'a' }), ask({ name: 'b' }), ask({ name: 'a', id })]);
  for (let round = 0; round < RENAMES; round += 1) {
    const [from, to] = round % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    await host.rename(ada, { owner: 'ada', name: from, id }, to, watcher);
  }
  isOver = true;
  await asking;
  expect([...seen].toSorted()).toEqual(expect.arrayContaining([id, 'repository_not_found']));
  expect([...seen].filter((each) => ![id, 'repository_not_found', 'repository_busy'].includes(each))).toEqual(
    [],
  );
});

test('[API-27] repositories and branches are listed without a process, and their bytes are counted', async () => {
  const host = createEmbeddedGitHost({ dataDir: folder, publicUrl: () => 'http://console', limits });
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
