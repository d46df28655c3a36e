import { expect, test } from 'vitest';
import { freeName, placeOf, repositoryNameOf } from './chosen-files.ts';

test.each([
  ['my site', 'my-site'],
  ['Bäckerei & Söhne', 'Backerei-Sohne'],
  ['..', 'my-project'],
  ['', 'my-project'],
  ['a.git', 'a'],
  ['-a-', 'a'],
  ['a..b', 'a.b'],
  ['a-.-b', 'a.b'],
  ['nul', 'my-nul'],
  ['con.js', 'my-con.js'],
  ['店', 'my-project'],
  ['x'.repeat(200), 'x'.repeat(60)],
  ['repo-main', 'repo-main'],
])('%s becomes a repository called %s', (text, name) => {
  expect(repositoryNameOf(text)).toBe(name);
});

test('a name that is taken, in whatever capitals, gets a number', () => {
  expect(freeName('site', [])).toBe('site');
  expect(freeName('site', ['SITE', 'site-2'])).toBe('site-3');
});

test.each(['.git', '.GIT', '.git ', '.git.', 'git~1', '.g\u200cit', 'a/.git/config', '.gıt'])(
  "%j does not get into a repository as git's own folder",
  (path) => {
    const place = placeOf(path);
    // What only looks like it is a name like any other.
    if (path === '.gıt') expect(place).toEqual({ path });
    else expect(place).toEqual({ leftOut: '.git (the history stays with you)' });
  },
);

test.each([
  ['.gitignore', true],
  ['.github/workflows/a.yml', true],
  ['.env', false],
  ['web/.env.production', false],
  ['.env.example', true],
  ['.environment', true],
  ['.DS_Store', false],
  ['a/Thumbs.db', false],
  ['.mops/core/x.mo', false],
  ['dist/index.html', true],
])('%s is taken: %s', (path, isTaken) => {
  expect('path' in placeOf(path)).toBe(isTaken);
});
