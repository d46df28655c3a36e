import { expect, test } from 'vitest';
import { CauseFinder, causeText } from './failure-cause.ts';

function causeOf(output: string, exitCode = 1, hasNetwork = false): string | undefined {
  const finder = new CauseFinder();
  for (const line of output.split('\n')) finder.see(line);
  return finder.cause(exitCode, hasNetwork)?.text;
}

// Output of the tools themselves, as far as it matters.
test.each([
  [
    '> vite build\n\nsh: 1: vite: not found\nnpm error Lifecycle script `build` failed with error:\nnpm error code 127',
    "the command 'vite' was not found",
  ],
  ['bash: line 1: hugo: command not found', "the command 'hugo' was not found"],
  [
    'npm error Missing script: "build"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
    "package.json has no script 'build'",
  ],
  [' ERR_PNPM_NO_SCRIPT  Missing script: build', "package.json has no script 'build'"],
  ['error Command "build" not found.', "package.json has no script 'build'"],
  ['Usage Error: Couldn\'t find a script named "build".', "package.json has no script 'build'"],
  ['error: Script not found "build"', "package.json has no script 'build'"],
  [
    '<--- Last few GCs --->\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'it ran out of memory',
  ],
  [
    "Error: error:0308010C:digital envelope routines::unsupported\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
    'its bundler is older than this Node and wants a hash that OpenSSL 3 no longer has',
  ],
  [
    'npm error code ETARGET\nnpm error notarget No matching version found for left-pad@^9.0.0.\nnpm error notarget In most cases you or one of your dependencies are requesting',
    'no version of the package left-pad@^9.0.0 fits',
  ],
  [
    "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/none-of-it - Not found\nnpm error 404\nnpm error 404  'none-of-it@1.0.0' is not in this registry.",
    'the package none-of-it@1.0.0 is not in the registry',
  ],
  [
    `npm error 404  The requested resource '@fruit/peach@https://registry.npmjs.org/download/@fruit/peach/0.1.4/${'9c'.repeat(32)}' could not be found or you do not have permission to access it.`,
    'the package @fruit/peach is not in the registry',
  ],
  [
    'npm error code EBADPLATFORM\nnpm error notsup Unsupported platform for @esbuild/darwin-arm64@0.25.8: wanted {"os":"darwin","cpu":"arm64"} (current: {"os":"linux","cpu":"x64"})',
    'the package @esbuild/darwin-arm64@0.25.8 is for macOS only',
  ],
  [
    'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\nnpm error While resolving: site@1.0.0\nnpm error Found: react@19.2.0',
    'the peer packages of site@1.0.0 contradict each other',
  ],
  [
    'npm error code EUNSUPPORTEDPROTOCOL\nnpm error Unsupported URL Type "workspace:": workspace:*',
    "npm does not know dependencies of the kind 'workspace:'",
  ],
  [
    ' ERR_PNPM_NO_MATCHING_VERSION  No matching version found for left-pad@^9.0.0 while fetching it',
    'no version of the package left-pad@^9.0.0 fits',
  ],
  [
    '[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/none-of-it: Not Found - 404',
    'the package at https://registry.npmjs.org/none-of-it is not in the registry',
  ],
  [
    'error Couldn\'t find any versions for "left-pad" that matches "^9.0.0"',
    'no version of the package left-pad fits',
  ],
  [
    'error An unexpected error occurred.\nerror Couldn\'t find package "none-of-it" on the "npm" registry.',
    'the package none-of-it is not in the registry',
  ],
  [
    '➤ YN0000: ┌ Resolution step\n➤ YN0082: │ left-pad@npm:^9.0.0: No candidates found',
    'the package left-pad@npm:^9.0.0 cannot be found in the registry',
  ],
  [
    'error: No version matching "^9.0.0" found for specifier "left-pad" (but package exists)',
    'no version of the package left-pad@^9.0.0 fits',
  ],
  [
    '[vite]: Rollup failed to resolve import "axios" from "/build/source/src/main.ts".',
    "the module 'axios' was not found",
  ],
  [
    "Module not found: Error: Can't resolve './Logo' in '/build/source/src'",
    "the file './Logo' that it imports does not exist",
  ],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vite' imported from /build/source/vite.config.ts",
    "the module 'vite' was not found",
  ],
  [
    "Error: Cannot find module '/build/source/build.js'",
    "the file 'build.js' that it imports does not exist",
  ],
  [
    "src/App.tsx(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    "src/App.tsx, line 3: TS2322: Type 'string' is not assignable to type 'number'",
  ],
  ["src/a.ts:7:1 - error TS1005: ';' expected.", "src/a.ts, line 7: TS1005: ';' expected"],
  [
    'bun install v1.4.5 (a7733435c)\nerror: GET https://registry.npmjs.org/@elysia/cron/-/cron-1.4.2.tgz - 404',
    'the package at https://registry.npmjs.org/@elysia/cron/-/cron-1.4.2.tgz is not in the registry',
  ],
  [
    "[copy-pinia] ENOENT: no such file or directory, access '/build/source/packages/pinia/dist/pinia.mjs'",
    'the file or folder packages/pinia/dist/pinia.mjs does not exist',
  ],
  [
    "Error: ENOENT: no such file or directory, open '/build/source/content/posts.json'",
    'the file or folder content/posts.json does not exist',
  ],
  ['warning: slow\n\x1b[31merror\x1b[39m during build:\nRollupError: x', 'during build'],
  ['ReferenceError: window is not defined\n    at Module.<anonymous>', 'window is not defined'],
  ['[ERROR] The site has no title', 'The site has no title'],
])('%j', (output, cause) => expect(causeOf(output)).toBe(cause));

test('the network is the cause only where nothing failed before, and the step had none', () => {
  const font = 'Error: getaddrinfo EAI_AGAIN fonts.googleapis.com';
  const text = 'it tried to reach the network (fonts.googleapis.com), which only package installation may do';
  expect(causeOf(`${font}\nError: Build failed`)).toBe(text);
  expect(causeOf(`warning: ${font}\nSyntaxError: Unexpected token`)).toBe('Unexpected token');
  expect(causeOf(`SyntaxError: Unexpected token\n${font}`)).toBe('Unexpected token');
  const fetched =
    'FetchError: [GET] "https://fonts.googleapis.com/css2?family=DM+Sans": <no response> fetch failed';
  expect(causeOf(`${fetched}\n[vite-ssg] An internal error occurred.`)).toBe(text);
  expect(causeOf(font, 1, true)).not.toContain('which only');
});

test('exit codes of shells are told when nothing else is', () => {
  expect(causeOf('', 127)).toBe('one of its commands was not found');
  expect(causeOf('0 errors, 2 warnings', 1)).toBeUndefined();
});

function adviceOf(line: string): string {
  const finder = new CauseFinder();
  finder.see(line);
  return finder.cause(127, false)?.advice ?? '';
}

test('a file that is not there is no matter of package.json', () => {
  expect(adviceOf("Could not resolve './_barChart.scss' from src/BarChart.tsx")).toContain('capital letters');
  expect(adviceOf("Error: Cannot find module '../build/Release/sharp-linux-x64.node'")).toContain(
    'EGRESS_HOSTS',
  );
  expect(adviceOf("Error: Cannot find module 'sharp'")).toContain('package.json');
});

test('a compiler that is not there is no matter of package.json', () => {
  expect(adviceOf('sh: 1: cargo: not found')).toContain('Commit the WebAssembly');
  expect(adviceOf('bash: line 1: ic-wasm: command not found')).toContain('Commit the WebAssembly');
  expect(adviceOf('sh: 1: cargo-tool: not found')).toContain('package.json');
});

test('what is said ends with what to do', () => {
  expect(causeText(null, 'Look above.')).toBe(' Look above.');
  expect(causeText({ text: 'a thing', advice: null }, 'Look above.')).toBe(
    ' The cause: a thing. Look above.',
  );
});

test('lines that a project makes up cost no more than their length', () => {
  const start = performance.now();
  for (const part of [
    "Cannot find module '",
    'npm error 404 ',
    'sh: 1: ',
    'ErrorError',
    '\x1b[',
    ' 1,1): error TS',
  ]) {
    const line = part.repeat(Math.ceil(200_000 / part.length));
    for (let times = 0; times < 20; times += 1) new CauseFinder().see(line);
  }
  expect(performance.now() - start).toBeLessThan(1_500);
});
