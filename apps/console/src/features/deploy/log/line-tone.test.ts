import { expect, test } from 'vitest';
import { lineTone } from './line-tone.ts';

test.each([
  ['==> Checking out main of ada/site', 'step'],
  ['==>', 'plain'],
  ["Failed: there is no folder 'dist'.", 'failure'],
  ['Deployment Failed!', 'failure'],
  ['Warning: builds are not contained', 'warning'],
  ['3 tests. Failed: 1', 'plain'],
  ['', 'plain'],
])('%j is %s', (line, tone) => {
  expect(lineTone(line)).toBe(tone);
});

test.each([
  ['npm ERR! code ELIFECYCLE', 'error'],
  ['npm error code 1', 'error'],
  ['error: could not find file', 'error'],
  ['✘ [ERROR] Could not resolve "x"', 'error'],
  ['error during build:', 'error'],
  ["src/app.ts(3,7): error TS2322: Type 'string' is not assignable", 'error'],
  ["src/app.ts:3:7 - error TS2322: Type 'string' is not assignable", 'error'],
  ['main.mo:4.3-4.9: type error [M0057], unbound variable x', 'error'],
  ['TypeError: x is not a function', 'error'],
  ['Error: Cannot find module', 'error'],
  ['fatal: repository not found', 'error'],
  ['make: *** [all] Error 2', 'error'],
  ['sh: vite: not found', 'error'],
  ['npm warn deprecated glob@7', 'warning'],
  ['npm WARN deprecated glob@7', 'warning'],
  ['warning: unused variable', 'warning'],
  ['main.mo:4.3-4.9: warning [M0194], unused identifier', 'warning'],
  ['(node:12) ExperimentalWarning: soon', 'warning'],
  ['(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.', 'warning'],
  ['npm error (node:12) [DEP0040] DeprecationWarning: old', 'warning'],
  ['(node:12) UnhandledPromiseRejectionWarning: Error: x', 'plain'],
  ['Cancelled by ada.', 'failure'],
  ['0 errors, 0 warnings', 'plain'],
  ['error-handler.js  1.2 kB', 'plain'],
  ['  dist/assets/error.js', 'plain'],
  ['Errors are handled', 'plain'],
  ['an error: in the middle', 'plain'],
])('a line of a tool: %j is %s', (line, tone) => {
  expect(lineTone(line)).toBe(tone);
});
