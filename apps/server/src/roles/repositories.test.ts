import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StartError } from '../errors.ts';
import { openRepositories } from './repositories.ts';

const folder = mkdtempSync(join(tmpdir(), 'cannery-repositories-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (repositoriesDir: string) => {
  const options = { config: { repositoriesDir, dataDir: folder }, addresses: { publicUrl: '' } };
  return openRepositories('here', options as unknown as Parameters<typeof openRepositories>[1]);
};

test('a folder of repositories apart from the data folder is as closed as that is', async () => {
  const loose = join(folder, 'loose');
  mkdirSync(join(loose, '.ada'), { recursive: true });
  for (const path of [loose, join(loose, '.ada')]) chmodSync(path, 0o777);
  await open(loose);
  for (const path of [loose, join(loose, '.ada')]) expect(statSync(path).mode & 0o777).toBe(0o700);

  const shared = join(folder, 'shared');
  mkdirSync(join(shared, 'repositories'), { recursive: true });
  chmodSync(shared, 0o777);
  await expect(open(join(shared, 'repositories'))).rejects.toThrow(StartError);
  await expect(open(join(shared, 'repositories'))).rejects.toThrow(
    'Set REPOSITORIES_DIR to a folder elsewhere',
  );
});
