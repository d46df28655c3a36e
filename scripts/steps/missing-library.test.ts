import { expect, test } from 'vitest';
import { howToInstall, missingLibrary } from './missing-library.mjs';

test.each([
  [
    'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory',
    'libatomic.so.1',
  ],
  [
    'Error loading shared library libstdc++.so.6: No such file or directory (needed by node)',
    'libstdc++.so.6',
  ],
  ["node: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found (required by node)", 'GLIBC_2.28'],
])('the loader says %j', (output, library) => {
  expect(missingLibrary(output)).toBe(library);
});

test('other errors name no library', () => {
  expect(missingLibrary('Segmentation fault')).toBeUndefined();
});

test('a library comes with the command that brings it', () => {
  expect(howToInstall('libatomic.so.1')).toContain('apt-get install libatomic1');
  expect(howToInstall('libatomic.so.1')).toContain('dnf install libatomic.');
  expect(howToInstall('libodd.so.3')).toContain('libodd.so.3');
});
