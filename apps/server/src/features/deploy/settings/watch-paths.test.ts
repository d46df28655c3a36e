import { expect, test } from 'vitest';
import { AppError } from '../../../errors.ts';
import { isDeployedTag, tagPatternOf, watchPathsOf } from './push-triggers.ts';
import { WatchPaths } from './watch-paths.ts';

const changed = (patterns: readonly string[], ...names: string[]): Promise<boolean> =>
  new WatchPaths(patterns).haveChanged(names);

test.each([
  // A folder is everything in it.
  [['apps/web'], 'apps/web/src/main.ts', true],
  [['apps/web/'], 'apps/web/src/main.ts', true],
  [['/apps/web'], 'apps/web/index.html', true],
  [['./apps/web/**'], 'apps/web/index.html', true],
  [['apps/web'], 'apps/website/index.html', false],
  [['apps/web'], 'old/apps/web/index.html', false],
  [['README.md'], 'README.md', true],
  [['README.md'], 'docs/README.md', false],
  [['**/README.md'], 'docs/a/README.md', true],
  [['*.md'], 'docs/a.md', false],
  [['apps/*/src'], 'apps/web/src/x/y.ts', true],
  [['{apps,packages}/**'], 'packages/a/b', true],
  // The last that matches decides.
  [['apps', '!apps/**/*.md'], 'apps/web/README.md', false],
  [['apps', '!apps/**/*.md'], 'apps/web/main.ts', true],
  [['apps', '!apps/**/*.md', 'apps/web/guide.md'], 'apps/web/guide.md', true],
  [['apps', '!apps'], 'apps/web/main.ts', false],
  // Who only takes something out begins with everything.
  [['!docs'], 'src/main.ts', true],
  [['!docs'], 'docs/main.md', false],
  [['!docs', '!*.md'], 'README.md', false],
  [['!docs', 'docs/api'], 'docs/api/a.md', true],
])('%j and a change of %s: %s', async (patterns, name, deploys) => {
  expect(await changed(patterns, name)).toBe(deploys);
});

test('one name that counts is enough, and nothing that has changed deploys nothing', async () => {
  expect(await changed(['apps'], 'docs/a', 'docs/b', 'apps/c')).toBe(true);
  expect(await changed(['apps'], 'docs/a', 'docs/b')).toBe(false);
  expect(await changed(['!docs'])).toBe(false);
});

test('what would take long to tell deploys, and is told at once', async () => {
  const patterns = Array.from({ length: 50 }, (_, n) => `${'*a'.repeat(90)}${n}`);
  const names = Array.from({ length: 1_000 }, (_, n) => `${'a'.repeat(200)}b${n}`);
  const watch = new WatchPaths(patterns);
  const before = process.threadCpuUsage();
  expect(await watch.haveChanged(names)).toBe(true);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(100);
  // As many as may be looked at: others have their turns meanwhile.
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  expect(await watch.haveChanged(names.slice(0, 1))).toBe(false);
  expect(await changed(['apps', 'web/*/x'], ...names)).toBe(false);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(1);
});

test('patterns are kept without blank ones, and one that cannot be read is refused', () => {
  expect(watchPathsOf([' apps ', '', '!', './', '!docs'])).toEqual(['apps', '!docs']);
  expect(watchPathsOf(undefined)).toBeUndefined();
  for (const bad of ['[a', '{a', 'a\\', 'a\0b']) {
    expect(() => watchPathsOf(['apps', bad])).toThrow(AppError);
    expect(() => tagPatternOf(bad)).toThrow(AppError);
  }
  expect(tagPatternOf(' v* ')).toBe('v*');
  expect(tagPatternOf(' ')).toBe('');
});

test.each([
  ['v*', 'v1.2', true],
  ['v*', 'release/v1', false],
  ['v[0-9]*', 'vault', false],
  ['release/*', 'release/v1', true],
  ['', 'v1', false],
])('the pattern %j and the tag %s: %s', (pattern, tag, deploys) => {
  expect(isDeployedTag(pattern, tag)).toBe(deploys);
});
