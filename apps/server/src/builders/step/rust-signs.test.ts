import { expect, test } from 'vitest';
import { CauseFinder } from './failure-cause.ts';

function causeOf(...lines: string[]): string | undefined {
  const causes = new CauseFinder();
  for (const line of lines) causes.see(line);
  return causes.cause(101, false)?.text;
}

// As cargo 1.65 and 1.95 and their rustc print them.
test.each([
  [
    'error: failed to parse lock file at: /build/source/Cargo.lock',
    '  lock file version `4` was found, but this version of Cargo does not understand this lock file, perhaps Cargo needs to be updated?',
    /^Cargo\.lock is of version 4, /,
  ],
  [
    'error: failed to parse lock file',
    '  lock file version 5 requires `-Znext-lockfile-bump`',
    /^Cargo\.lock is of version 5, /,
  ],
  [
    'error: package `serde v1.0.228` cannot be built because it requires rustc 1.70 or newer, while the currently active rustc version is 1.63.0',
    '',
    /^the crate serde v1\.0\.228 needs Rust 1\.70, and this server has 1\.63\.0$/,
  ],
  [
    'error: rustc 1.95.0 is not supported by the following package:',
    '  future@2.0.0 requires rustc 1.99',
    /^the crate future@2\.0\.0 needs Rust 1\.99, /,
  ],
  ['Caused by:', '  feature `edition2024` is required', /edition 2024/],
  [
    'error: the lock file /build/source/Cargo.lock needs to be updated but --locked was passed to prevent this',
    '',
    /^Cargo\.lock does not fit Cargo\.toml$/,
  ],
  [
    'error: cannot update the lock file /build/source/Cargo.lock because --locked was passed to prevent this',
    '',
    /^Cargo\.lock does not fit Cargo\.toml$/,
  ],
  ['error: package ID specification `two` did not match any packages', '', /no package 'two'/],
  ['error: linker `cc` not found', '', /^the linker cc is not on this server$/],
  [
    '   = note: the `wasm32-unknown-unknown` target may not be installed',
    '',
    /has no target wasm32-unknown-unknown/,
  ],
  ['/usr/bin/python3: No module named kybra', '', /^the canister is written for Kybra/],
  ['error[E0308]: mismatched types', ' --> src/lib.rs:1:28', /^error\[E0308\]: mismatched types$/],
])('%j, %j', (first, second, text) => {
  expect(causeOf('   Compiling one v0.1.0 (/build/source)', first, second)).toMatch(text);
});
