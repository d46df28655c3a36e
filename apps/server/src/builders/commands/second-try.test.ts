import { expect, test } from 'vitest';
import { SecondTryFinder } from './second-try.ts';

test.each([
  [
    "  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
    { NODE_OPTIONS: '--max-old-space-size=1 --openssl-legacy-provider' },
  ],
  ['Treating warnings as errors because process.env.CI = true.', { CI: 'false' }],
  ['You are using Node.js 18.20.8. For Next.js, Node.js version ">=20.9.0" is required.', {}],
  ['You are using Node.js 18.20.8. Vite requires Node.js version 20.19+ or 22.12+.', {}],
  ['The Angular CLI requires a minimum Node.js version of v20.19 or v22.12.', {}],
  ['Node.js v16.20.2 is not supported by Astro!', {}],
  ['sh: 1: ic-wasm: not found', {}],
  ['./build.sh: line 3: ic-wasm: command not found', {}],
  ['Error: spawn ic-wasm ENOENT', {}],
])('%s is tried once more', (line, env) => {
  const finder = new SecondTryFinder();
  finder.see(line);
  const found = finder.next([], true);
  expect(found?.env({ NODE_OPTIONS: '--max-old-space-size=1' })).toEqual(env);
  expect(finder.next(found === null ? [] : [found], true)).toBeNull();
});

test('an ordinary failure is final', () => {
  const finder = new SecondTryFinder();
  finder.see('SyntaxError: Unexpected token');
  expect(finder.next([], true)).toBeNull();
});

test('the Node of the server is no second try where it was the first', () => {
  const finder = new SecondTryFinder();
  finder.see('The Angular CLI requires a minimum Node.js version of v20.19 or v22.12.');
  expect(finder.next([], false)).toBeNull();
});
