import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findRust, type RustToolchain } from '../../src/builders/sandbox/rust-toolchain.ts';

/** What `npm test` brings where the machine has no such Rust (scripts/steps/rust.mjs). */
const brought = fileURLToPath(new URL('../../../../.cache/rust', import.meta.url));

const found = await findRust({
  setting: existsSync(brought) ? brought : undefined,
  dataDir: '/nonexistent',
  env: process.env,
});

/** A Rust that compiles for WebAssembly; null where neither the machine has one nor apt-get could bring one. */
export const rustHere: RustToolchain | null = found?.hasTarget === true ? found : null;

/** What the name of a skipped suite says. */
export const needsRust =
  'needs a Rust with the target wasm32-unknown-unknown: npm test fetches that of Debian where there is apt-get';
