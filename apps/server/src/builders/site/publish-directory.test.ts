import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileDirectories } from '@cannery/dev-env';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listSite as list, type Site, type SiteLimits } from './publish-directory.ts';
import { BuildError } from '../build-error.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';

const LIMITS = { files: 1_000, megabytes: 10 };
let dataDir: string;
let folders: TestWorkspace;
let outside: string;
let source: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-site-'));
  folders = await testWorkspace(dataDir);
  source = folders.disk.source;
  outside = join(source, '..');
  mkdirSync(join(source, 'dist', 'deep'), { recursive: true });
  mkdirSync(join(source, '.git'));
  mkdirSync(join(source, 'node_modules', 'x'), { recursive: true });
  writeFileSync(join(outside, 'secret'), 'secret');
  writeFileSync(join(source, '.git', 'config'), '');
  writeFileSync(join(source, 'node_modules', 'x', 'index.js'), '');
  writeFileSync(join(source, 'README.md'), 'read me');
  writeFileSync(join(source, 'dist', 'index.html'), '<p>hello</p>');
  writeFileSync(join(source, 'dist', '.well-known'), 'x');
  writeFileSync(join(source, 'dist', 'deep', 'größe.txt'), 'x');
});

afterEach(async () => {
  await folders.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

const listSite = (directory: string, limits: SiteLimits = LIMITS): Promise<Site> =>
  list(folders.source, directory, limits);

async function paths(directory: string): Promise<string[]> {
  const site = await listSite(directory);
  return site.files.map(({ path }) => path);
}

describe('the publish directory', () => {
  test.each(['dist', './dist', 'dist/', '/dist', ' dist '])('%j', async (directory) => {
    expect(await paths(directory)).toEqual(['.well-known', 'deep/größe.txt', 'index.html']);
  });

  test.each(['', '.', './'])('%j is the repository without what it is made with', async (directory) => {
    expect(await paths(directory)).toEqual([
      'README.md',
      'dist/.well-known',
      'dist/deep/größe.txt',
      'dist/index.html',
    ]);
  });

  test('that does not exist is named, with what is there instead', async () => {
    await expect(listSite('build')).rejects.toThrow(
      "The publish directory 'build' does not exist after the build. Directories present: dist.",
    );
  });

  test('that does not exist since Next.js has built a server is told what to do', async () => {
    mkdirSync(join(source, '.next'));
    try {
      await expect(listSite('out')).rejects.toThrow(
        "Directories present: .next, dist. Next.js has built a server: write output: 'export' into its settings",
      );
    } finally {
      rmSync(join(source, '.next'), { recursive: true });
    }
  });

  test.each(['..', '../..', 'dist/../..', '..\\..', 'a/../../source'])(
    '%j leads outside',
    async (directory) => {
      await expect(listSite(directory)).rejects.toThrow('outside the repository');
    },
  );

  test('that is a link leading outside is refused', async () => {
    symlinkSync(outside, join(source, 'out'));
    await expect(listSite('out')).rejects.toThrow('outside the repository');
  });

  test('[R5] of no hostile text is a folder outside of the repository', async () => {
    symlinkSync(outside, join(source, 'link-out'));
    symlinkSync('link-out', join(source, 'link-to-link'));
    writeFileSync(join(outside, 'index.html'), 'a canary of the folder above');
    const found: string[] = [];
    for (const directory of hostileDirectories(outside)) {
      const site = await listSite(directory).catch((error: unknown) => {
        if (error instanceof BuildError) return null;
        throw error;
      });
      for (const { read } of site?.files ?? [])
        if (/secret|canary/.test(Buffer.from(await read()).toString())) found.push(directory);
    }
    expect(found).toEqual([]);
  });

  test('that is a file or empty says so', async () => {
    mkdirSync(join(source, 'empty'));
    await expect(listSite('README.md')).rejects.toThrow('is a file');
    await expect(paths('empty')).rejects.toThrow('is empty');
  });
});

describe('what a hostile build leaves behind', () => {
  test('links out of the checkout, pipes and folders behind links are not published', async () => {
    symlinkSync('/etc/passwd', join(source, 'dist', 'passwd'));
    symlinkSync('../../secret', join(source, 'dist', 'secret'));
    symlinkSync('/etc', join(source, 'dist', 'etc'));
    symlinkSync('loop', join(source, 'dist', 'loop'));
    symlinkSync('index.html', join(source, 'dist', 'home.html'));
    execFileSync('mkfifo', [join(source, 'dist', 'pipe')]);
    const site = await listSite('dist');
    expect(site.files.map(({ path }) => path)).toEqual([
      '.well-known',
      'deep/größe.txt',
      'home.html',
      'index.html',
    ]);
    expect(site.left.map(({ path }) => path).sort()).toEqual(['etc', 'loop', 'passwd', 'pipe', 'secret']);
  });

  test('names that nobody can read or tell apart, and folders that cannot be read, are left out and told', async () => {
    const dist = join(source, 'dist');
    for (const name of ['a\nb.txt', 'gpj.\u202eexe', 'zero\u200bwidth', 'esc\u001b[2J'])
      writeFileSync(join(dist, name), 'x');
    mkdirSync(Buffer.concat([Buffer.from(`${dist}/caf`), Buffer.from([0xe9])]));
    writeFileSync(Buffer.concat([Buffer.from(`${dist}/caf`), Buffer.from([0xe9]), Buffer.from('/x')]), 'x');
    mkdirSync(join(dist, 'locked'));
    writeFileSync(join(dist, 'locked', 'x'), 'x');
    chmodSync(join(dist, 'locked'), 0);
    const site = await listSite('dist');
    chmodSync(join(dist, 'locked'), 0o700);
    const seen = site.files.map(({ path }) => path).filter((path) => !path.startsWith('locked'));
    expect(seen).toEqual(['.well-known', 'deep/größe.txt', 'index.html']);
    const reasons = site.left.filter(({ path }) => path !== 'locked').map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'its name has control or invisible characters'),
      'its name is not valid UTF-8',
    ]);
  });

  test.each([
    [
      { files: 2, megabytes: 10 },
      'more than 2 files to publish, or too many other files and folders (SITE_MAX_FILES)',
    ],
    [{ files: 10, megabytes: 1 }, 'larger than 1 MB (SITE_MAX_MB)'],
  ])('too much is refused with the limit and its setting: %j', async (limits, message) => {
    const file = join(source, 'dist', 'large');
    writeFileSync(file, '');
    truncateSync(file, 2 * 1024 ** 2);
    await expect(listSite('dist', limits)).rejects.toThrow(message);
  });

  test('a folder of far more names than can be published is not read to its end', async () => {
    for (let n = 0; n < 200; n += 1) symlinkSync('/etc/passwd', join(source, 'dist', `link${n}`));
    const limits = { files: 10, megabytes: 10 };
    await expect(listSite('dist', limits)).rejects.toThrow('SITE_MAX_FILES');
    const { left, leftCount } = await listSite('dist');
    expect([left.length, leftCount]).toEqual([50, 200]);
  });
});
