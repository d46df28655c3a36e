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
    'the package left-pad is in the registry, but no version of it fits ^9.0.0',
  ],
  [
    "npm error code E404\nnpm error 404  The requested resource '@std/toml@https://registry.npmjs.org/~/11/@jsr/std__toml/1.0.9.tgz' could not be found or you do not have permission to access it.",
    'the package @std/toml is one of JSR (@jsr/std__toml), whose registry is npm.jsr.io',
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
    ' ERR_PNPM_NO_MATCHING_VERSION  No matching version found for @scope/left-pad@^9.0.0 while fetching it',
    'the package @scope/left-pad is in the registry, but no version of it fits ^9.0.0',
  ],
  [
    '[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/none-of-it: Not Found - 404',
    'the package at https://registry.npmjs.org/none-of-it is not in the registry',
  ],
  [
    '[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/@mdit%2Fplugin-anchor: Not Found - 404',
    'the package @mdit/plugin-anchor is not in the registry',
  ],
  [
    '[ERROR] Error: Unable to build website for locale en.\n      [cause]: Error: Command failed with exit code 128: git -c log.showSignature=false log --format=RESULT:%ct,%an --max-count=1 -- "a.mdx"\n      fatal: not a git repository (or any parent up to mount point /build)',
    'it asks git for what a checkout does not have',
  ],
  ['Error: Command failed: git rev-parse --short HEAD', 'it asks git for what a checkout does not have'],
  // Docusaurus, by Node's way to print an error with those behind it.
  [
    '[ERROR] Loading of version failed for version current\n[ERROR] Error: Unable to build website for locale en.\n    at build (/b/build.js:83:15) {\n  [cause]: Error: Invalid sidebar file at "sidebars.ts".\n      at check (/b/utils.js:1:1)',
    'Invalid sidebar file at "sidebars.ts"',
  ],
  [
    'Error: outer\n    at a (/b/a.js:1:1) {\n  [cause]: Error: middle\n      at a {\n    [cause]: TypeError [ERR_X]: inner\n  }\n}\nError: other {\n  [cause]: Error: of another\n}',
    'inner',
  ],
  [
    'error Couldn\'t find any versions for "left-pad" that matches "^9.0.0"',
    'the package left-pad is in the registry, but no version of it fits ^9.0.0',
  ],
  [
    'error An unexpected error occurred.\nerror Couldn\'t find package "none-of-it" on the "npm" registry.',
    'the package none-of-it is not in the registry',
  ],
  [
    '➤ YN0000: ┌ Resolution step\n➤ YN0082: │ left-pad@npm:^9.0.0: No candidates found',
    'the package left-pad is in the registry, but no version of it fits ^9.0.0',
  ],
  [
    '➤ YN0035: │ none-of-it@npm:^1.0.0: Package not found',
    'the package none-of-it@npm:^1.0.0 cannot be found in the registry',
  ],
  [
    "npm error 404  'left-pad@https://registry.npmjs.org/left-pad/-/left-pad-9.9.9.tgz' is not in this registry.",
    'version 9.9.9 of the package left-pad is not in the registry',
  ],
  [
    ' ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/left-pad/-/left-pad-9.9.9.tgz: Not Found - 404',
    'version 9.9.9 of the package left-pad is not in the registry',
  ],
  [
    'error: No version matching "^9.0.0" found for specifier "left-pad" (but package exists)',
    'the package left-pad is in the registry, but no version of it fits ^9.0.0',
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
    'version 1.4.2 of the package @elysia/cron is not in the registry',
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

test.each([
  'npm error (node:45) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
  'npm error (Use `node --trace-deprecation ...` to show where the warning was created)',
  "(node:45) ExperimentalWarning: Cannot find module 'x' from a loader",
  '[DEP0180] DeprecationWarning: ENOSPC is deprecated',
  "packages/site build: (node:45) [MODULE_TYPELESS_PACKAGE_JSON] Warning: Error: Can't resolve './x'",
  '[web] (node:45) MaxListenersExceededWarning: ENOMEM',
  "npm warn deprecated left-pad@1.0.0: Cannot find module 'x'",
  'npm WARN deprecated old@1.0.0: JavaScript heap out of memory',
  '\u2009WARN\u2009 deprecated left-pad@1.3.0: Couldn\'t find package "x"',
  'warning "a > b@1.0.0" has unmet peer dependency. Couldn\'t find package "b"',
  'warn: Could not resolve "fs"',
  '▲ [WARNING] Could not resolve "fs" [plugin x]',
  'src/a.ts:4:3: warning: Could not resolve "fs"',
  "WARNING in ./src/a.js 3:0-20\nModule not found: Error: Can't resolve 'fs' in '/build/source'",
])('a warning is never a cause: %j', (warning) => {
  expect(causeOf(warning)).toBeUndefined();
  const error = 'ReferenceError: window is not defined';
  expect(causeOf(`${warning}\n\n${error}`)).toBe('window is not defined');
  expect(causeOf(`${error}\n${warning}`)).toBe('window is not defined');
});

test('a rejected promise ends a build, though older releases of Node call it a warning', () => {
  const line = "(node:7) UnhandledPromiseRejectionWarning: Error: Cannot find module 'x'";
  expect(causeOf(line)).toBe("the module 'x' was not found");
});

test.each([
  'Error: spawn /bin/sh EAGAIN',
  'Error: spawnSync git EAGAIN',
  'sh: 0: Cannot fork',
  'bash: fork: retry: Resource temporarily unavailable',
  'make: vfork: Resource temporarily unavailable',
  'posix_spawn failed: EAGAIN',
  'fatal: unable to create thread: Resource temporarily unavailable',
  'OpenBLAS blas_thread_init: pthread_create failed for thread 3 of 64: Resource temporarily unavailable',
  "node[12]: ../src/node_platform.cc:61: Assertion `(0) == (uv_thread_create(t.get(), start_thread, this))' failed.",
  'runtime: failed to create new OS thread (have 12 already; errno=11)',
  'fatal error: newosproc',
  'failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }',
  'java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached',
  "RuntimeError: can't start new thread",
  'fork/exec /usr/bin/git: resource temporarily unavailable',
])('the limit of processes is named: %s', (line) => {
  const finder = new CauseFinder();
  for (const text of [
    'sh: 1: vite: not found',
    line,
    'npm error code EAGAIN',
    "Error: Cannot find module 'x'",
  ])
    finder.see(text);
  const end = causeText(finder.cause(1, false), '');
  expect(end).toContain('the limit of processes and threads that a build may have (BUILD_PROCESSES)');
  expect(end).toContain('ask the operator for a higher BUILD_PROCESSES.');
});

test('what else is unavailable for a moment is not that limit', () => {
  expect(causeOf('Error: EAGAIN: resource temporarily unavailable, read')).toContain('EAGAIN');
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
  expect(adviceOf('sh: 1: cargo: not found')).toContain('the recipe @dfinity/rust');
  expect(adviceOf('sh: 1: wasm-opt: not found')).toContain('ask the operator to install it');
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
  const before = process.threadCpuUsage();
  for (const part of [
    "Cannot find module '",
    'npm error 404 ',
    'sh: 1: ',
    'ErrorError',
    '\x1b[',
    ' 1,1): error TS',
    'spawn ',
    'Assertion `',
    'registry/a/-/a-',
    'WARNING a.b:1:1',
    '(node:1) [DEP0040] ',
  ]) {
    const line = part.repeat(Math.ceil(200_000 / part.length));
    for (let times = 0; times < 20; times += 1) new CauseFinder().see(line);
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(1_500);
});
