import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Glob, GlobError } from './glob.ts';

function matches(pattern: string, path: string, acrossFolders = true): boolean {
  return new Glob(pattern, { acrossFolders }).matches(path);
}

test.each([
  ['*', ['index.html', 'a/b/c.js', '.well-known/x'], []],
  ['*.js', ['a.js', 'a/b.js'], ['a.jsx', 'js']],
  ['**', ['a', 'a/b'], []],
  ['**/*', ['a', 'a/b'], []],
  ['**/**', ['a', 'a/b'], []],
  ['**/*.css', ['a.css', 'x/y/a.css'], ['a.css/b']],
  ['**/', [], ['a', 'a/b']],
  ['assets/**/*', ['assets/a', 'assets/a/b'], ['assets', 'other/assets/a']],
  ['assets/**', ['assets/a', 'assets/a/b'], ['assets', 'assets-old/a']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['a/**/**/b', ['a/b', 'a/x/y/b'], ['a/xb']],
  ['a/**/**', ['a/b', 'a/x/y/b'], ['a', 'ab']],
  ['a**b', ['ab', 'axb', 'a/x/b'], ['a']],
  ['a/**b', ['a/b', 'a/x/yb'], ['ab']],
  ['file?.txt', ['file1.txt', 'file/.txt', 'fileé.txt', 'file😀.txt'], ['file.txt', 'file12.txt']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x']],
  ['[!a-c]x', ['dx', '/x'], ['ax']],
  ['[^a-c]x', ['dx'], ['ax']],
  ['[]x]', [']', 'x'], ['[']],
  ['[]-a]', [']', '^', 'a'], ['b', '-']],
  ['[a-]', ['a', '-'], ['b']],
  ['[-a]', ['a', '-'], ['b']],
  ['[*]', ['*'], ['a']],
  ['[é-ü]', ['ö'], ['o']],
  ['*.{png,jp{e,}g}', ['a.png', 'b/a.jpeg'], ['a.jpg', 'a.gif', 'a.png,']],
  ['{}a{,}', ['a'], ['']],
  ['{a/**,b}', ['a/x', 'b'], ['a', 'b/x']],
  ['{**/a,b}', ['a', 'x/a', 'b'], ['x/b']],
  ['a,b.(c)+', ['a,b.(c)+'], ['a,bx(c)+', 'a,b.cc']],
  ['\\*.js', ['*.js'], ['a.js']],
  ['{a\\,b,c}', ['a,b', 'c'], ['a', 'b']],
  ['.well-known', ['.well-known'], ['xwell-known', '.well-known/a']],
  ['/index.html', [], ['index.html']],
  ['', [''], ['a']],
])('%s matches as the reference tools have it', (pattern, matching, others) => {
  expect(matching.filter((path) => !matches(pattern, path))).toEqual([]);
  expect(others.filter((path) => matches(pattern, path))).toEqual([]);
});

test.each([
  '[a',
  '[',
  '[]',
  '[!]',
  '{a,b',
  '{a,{b,c}',
  'a}',
  '{a,b}}',
  '[z-a]',
  '[z--]',
  'a\\',
  '{'.repeat(21),
  'a'.repeat(1_001),
])('%s is refused', (pattern) => {
  expect(() => matches(pattern, 'a')).toThrow(GlobError);
});

test('where folders are kept apart, only two stars go across them', () => {
  const inside = (pattern: string, path: string) => matches(pattern, path, false);
  expect(['canisters/a', 'canisters/.b'].every((path) => inside('canisters/*', path))).toBe(true);
  expect(['canisters/a/b', 'canisters'].some((path) => inside('canisters/*', path))).toBe(false);
  expect(inside('a?b', 'a/b') || inside('a[!x]b', 'a/b')).toBe(false);
  expect(inside('**/b', 'x/y/b') && inside('a/**', 'a/x/y')).toBe(true);
});

describe('a pattern and the expression that globset makes of it say the same', () => {
  /** A piece of a pattern beside the regular expression that the documentation of globset gives for it. */
  interface Piece {
    readonly glob: string;
    readonly expression: string;
  }
  const join = (pieces: readonly Piece[], glue = ''): Piece => ({
    glob: pieces.map(({ glob }) => glob).join(glue),
    expression: pieces.map(({ expression }) => expression).join(glue),
  });
  const simple = fc.constantFrom<Piece>(
    { glob: 'a', expression: 'a' },
    { glob: 'b', expression: 'b' },
    { glob: '.', expression: '\\.' },
    { glob: '\\*', expression: '\\*' },
    { glob: '?', expression: '.' },
    { glob: '*', expression: '.*' },
    { glob: '[ab]', expression: '[ab]' },
    { glob: '[!a]', expression: '[^a]' },
    { glob: '[a-c.]', expression: '[a-c.]' },
  );
  const name = fc
    .array(simple, { minLength: 1, maxLength: 3 })
    .filter(
      // Two stars in a row mean something else.
      (pieces) => !pieces.some((piece, index) => piece.glob === '*' && pieces[index + 1]?.glob === '*'),
    )
    .map((pieces) => join(pieces));
  const either = fc.array(name, { minLength: 1, maxLength: 3 }).map((branches) => ({
    glob: `{${branches.map(({ glob }) => glob).join(',')}}`,
    expression: `(?:${branches.map(({ expression }) => expression).join('|')})`,
  }));
  const segment = fc.oneof(
    { weight: 3, arbitrary: name },
    fc.tuple(name, either).map((both) => join(both)),
    either,
  );
  /** Segments with folders of any depth before, between or behind them. */
  const whole = fc
    .record({
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
      before: fc.boolean(),
      between: fc.boolean(),
      behind: fc.boolean(),
    })
    .map(({ segments, before, between, behind }) => {
      const middle: Piece = between
        ? {
            glob: segments.map(({ glob }) => glob).join('/**/'),
            expression: segments.map(({ expression }) => expression).join('(?:/|/.*/)'),
          }
        : join(segments, '/');
      return {
        glob: `${before ? '**/' : ''}${middle.glob}${behind ? '/**' : ''}`,
        expression: `^/${before ? '(?:.*/)?' : ''}${middle.expression}${behind ? '/.*' : ''}$`,
      };
    });
  const path = fc
    .array(fc.array(fc.constantFrom('a', 'b', 'c', '.', '*'), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.map((letters) => letters.join('')).join('/'));

  test('for 5,000 patterns and paths', () => {
    fc.assert(
      fc.property(whole, fc.array(path, { minLength: 1, maxLength: 5 }), ({ glob, expression }, paths) => {
        for (const one of paths)
          expect([one, matches(glob, one)]).toEqual([one, new RegExp(expression, 's').test(`/${one}`)]);
      }),
      { numRuns: 5_000 },
    );
  });

  test('its steps are at most five for each character', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '*', '/', '{', '}', ',', '[', ']', '?', '!', '-'),
          maxLength: 60,
        }),
        (pattern) => {
          try {
            expect(new Glob(pattern, { acrossFolders: true }).size).toBeLessThanOrEqual(
              5 * (pattern.length + 1) + 1,
            );
          } catch (error) {
            expect(error).toBeInstanceOf(GlobError);
          }
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
