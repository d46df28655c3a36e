import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { leftOut } from './left-out.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'cannery-left-out-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packages = {
  '': {},
  'node_modules/everywhere': { optional: true },
  'node_modules/needed': { os: ['linux'] },
  'node_modules/linux-x64': { optional: true, os: 'linux', cpu: 'x64' },
  'node_modules/linux-x64-glibc': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/linux-x64-musl': { optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/darwin': { optional: true, os: ['darwin'] },
  'node_modules/not-windows': { optional: true, os: ['!win32'] },
};
writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));

const missingOn = (os: string, cpu: string, libc: string): string[] =>
  leftOut(folder, { os, cpu, libc }).map((name) => name.replace('node_modules/', ''));

test('what is for this platform has to be there', () => {
  expect(missingOn('linux', 'x64', 'glibc')).toEqual(['linux-x64', 'linux-x64-glibc', 'not-windows']);
  expect(missingOn('linux', 'arm64', 'musl')).toEqual(['not-windows']);
  expect(missingOn('darwin', 'x64', 'musl')).toEqual(['darwin', 'not-windows']);
  expect(missingOn('win32', 'x64', 'musl')).toEqual([]);
  mkdirSync(path.join(folder, 'node_modules', 'not-windows'), { recursive: true });
  writeFileSync(path.join(folder, 'node_modules', 'not-windows', 'package.json'), '{}');
  expect(missingOn('darwin', 'x64', 'musl')).toEqual(['darwin']);
});
