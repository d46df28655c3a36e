import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listSite, publishFolder } from './publish-directory.ts';

let outside: string;
let source: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'cannery-site-'));
  source = join(outside, 'source');
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

afterEach(() => rmSync(outside, { recursive: true, force: true }));

async function paths(directory: string): Promise<string[]> {
  const site = await listSite(source, await publishFolder(source, directory));
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
    await expect(publishFolder(source, 'build')).rejects.toThrow(
      "The publish directory 'build' does not exist after the build. Directories present: dist.",
    );
  });

  test.each(['..', '../..', 'dist/../..', '..\\..', 'a/../../source'])(
    '%j leads outside',
    async (directory) => {
      await expect(publishFolder(source, directory)).rejects.toThrow('outside the repository');
    },
  );

  test('that is a link leading outside is refused', async () => {
    symlinkSync(outside, join(source, 'out'));
    await expect(publishFolder(source, 'out')).rejects.toThrow('outside the repository');
  });

  test('that is a file or empty says so', async () => {
    mkdirSync(join(source, 'empty'));
    await expect(publishFolder(source, 'README.md')).rejects.toThrow('is a file');
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
    const site = await listSite(source, await publishFolder(source, 'dist'));
    expect(site.files.map(({ path }) => path)).toEqual([
      '.well-known',
      'deep/größe.txt',
      'home.html',
      'index.html',
    ]);
    expect(site.left.map(({ path }) => path).sort()).toEqual(['etc', 'loop', 'passwd', 'pipe', 'secret']);
  });
});
