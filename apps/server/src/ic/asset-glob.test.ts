import { expect, test } from 'vitest';
import { AssetGlobError, globExpression } from './asset-glob.ts';

test.each([
  ['*', ['index.html', 'a/b/c.js', '.well-known/x'], []],
  ['*.js', ['a.js', 'a/b.js'], ['a.jsx', 'js']],
  ['**/*', ['a', 'a/b'], []],
  ['**/*.css', ['a.css', 'x/y/a.css'], ['a.css/b']],
  ['assets/**/*', ['assets/a', 'assets/a/b'], ['assets', 'other/assets/a']],
  ['assets/**', ['assets/a', 'assets/a/b'], ['assets', 'assets-old/a']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['a/**/**/b', ['a/b', 'a/x/y/b'], ['a/xb']],
  ['file?.txt', ['file1.txt', 'file/.txt'], ['file.txt', 'file12.txt']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
  ['[!a-c]x', ['dx'], ['ax']],
  ['[]x]', [']', 'x'], ['[']],
  ['*.{png,jp{e,}g}', ['a.png', 'a.jpg', 'b/a.jpeg'], ['a.gif', 'a.png,']],
  ['a,b.(c)+', ['a,b.(c)+'], ['a,bx(c)+', 'a,b.cc']],
  ['\\*.js', ['*.js'], ['a.js']],
  ['.well-known', ['.well-known'], ['xwell-known', '.well-known/a']],
])('%s matches as the reference tools have it', (pattern, matching, others) => {
  const expression = globExpression(pattern);
  expect(matching.filter((path) => !expression.test(path))).toEqual([]);
  expect(others.filter((path) => expression.test(path))).toEqual([]);
});

test.each(['[a', '{a,b', 'a}'])('%s is refused', (pattern) => {
  expect(() => globExpression(pattern)).toThrow(AssetGlobError);
});
