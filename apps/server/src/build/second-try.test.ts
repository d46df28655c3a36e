import { expect, test } from 'vitest';
import { SecondTryFinder } from './second-try.ts';

test.each([
  [
    "  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
    { NODE_OPTIONS: '--max-old-space-size=1 --openssl-legacy-provider' },
  ],
  ['Treating warnings as errors because process.env.CI = true.', { CI: 'false' }],
])('%s is tried once more', (line, env) => {
  const finder = new SecondTryFinder();
  finder.see(line);
  const found = finder.next([]);
  expect(found?.env({ NODE_OPTIONS: '--max-old-space-size=1' })).toEqual(env);
  expect(finder.next(found === null ? [] : [found])).toBeNull();
});

test('an ordinary failure is final', () => {
  const finder = new SecondTryFinder();
  finder.see('SyntaxError: Unexpected token');
  expect(finder.next([])).toBeNull();
});
