import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../../errors.ts';
import { findRust, RUST_TARGET, rustNotes, rustProblem } from './rust-toolchain.ts';

let root: string;
let dataDir: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cannery-rust-')));
  dataDir = join(root, 'data');
  mkdirSync(dataDir);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

/** Puts programs there that say their version, as a toolchain's do. */
function toolchain(folder: string, version: string, withTarget: boolean): void {
  put(`${folder}/bin/rustc`, `#!/bin/sh\necho "rustc ${version} (abc 2026-01-01)"\n`, 0o755);
  put(`${folder}/bin/cargo`, `#!/bin/sh\necho "cargo ${version}"\n`, 0o755);
  if (withTarget) put(`${folder}/lib/rustlib/${RUST_TARGET}/lib/libcore-1.rlib`, '');
}

const find = (setting?: string, env: NodeJS.ProcessEnv = {}) =>
  findRust({ setting, dataDir, env: { HOME: join(root, 'home'), PATH: '', ...env } });

test('one with the target goes before the one that the operator uses', async () => {
  put('home/.rustup/settings.toml', 'default_toolchain = "nightly-x"\n');
  toolchain('home/.rustup/toolchains/nightly-x', '1.99.0', false);
  toolchain('home/.rustup/toolchains/older', '1.90.0', true);
  toolchain('home/.rustup/toolchains/stable-x', '1.95.0', true);
  const found = await find();
  expect(found).toEqual({
    folder: join(root, 'home/.rustup/toolchains/stable-x'),
    version: '1.95.0',
    cargoVersion: '1.95.0',
    hasTarget: true,
  });
  expect(rustProblem(found)).toBeNull();
  expect(rustNotes(undefined, found)[0]).toContain('Rust 1.95.0');
});

test('a toolchain without the target is told with the two commands', async () => {
  toolchain('named', '1.95.0', false);
  const found = await find(join(root, 'named'));
  expect(rustProblem(found)).toMatch(
    /^Rust is not compiled here: the Rust 1\.95\.0 found has no target .*'apt-get install rustc cargo libstd-rust-dev-wasm32' or 'rustup target add wasm32-unknown-unknown'.* RUST_TOOLCHAIN$/,
  );
});

test('a link on the path leads to its toolchain, and the door of rustup to none', async () => {
  toolchain('opt/rust', '1.80.1', true);
  mkdirSync(join(root, 'bin'));
  symlinkSync('../opt/rust/bin/rustc', join(root, 'bin/rustc'));
  expect(await find(undefined, { PATH: join(root, 'bin') })).toMatchObject({
    folder: join(root, 'opt/rust'),
  });
  put('rustup/bin/rustup', '#!/bin/sh\nexit 1\n', 0o755);
  symlinkSync('rustup', join(root, 'rustup/bin/rustc'));
  const found = await find(undefined, { PATH: join(root, 'rustup/bin') });
  expect(found?.folder.startsWith(root) ?? false).toBe(false);
});

test('what tenants may have shaped is none, also behind a link', async () => {
  toolchain('data/tenants/ada/rust', '1.95.0', true);
  symlinkSync(join(dataDir, 'tenants/ada/rust'), join(root, 'link'));
  for (const named of [join(dataDir, 'tenants/ada/rust'), join(root, 'link')])
    await expect(find(named)).rejects.toThrow(StartError);
});

test('a folder without a toolchain ends the start, and off means none', async () => {
  await expect(find(join(root, 'nothing'))).rejects.toThrow(/RUST_TOOLCHAIN is .* no bin\/cargo/);
  put('silent/bin/rustc', '#!/bin/sh\nexit 1\n', 0o755);
  put('silent/bin/cargo', '#!/bin/sh\nexit 1\n', 0o755);
  await expect(find(join(root, 'silent'))).rejects.toThrow(StartError);
  expect(await find('off')).toBeNull();
  expect(rustNotes('off', null)).toEqual([]);
  expect(rustNotes(undefined, null)[0]).toContain('no toolchain was found');
});
