import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { cache } from './project.mjs';

/** What Debian and Ubuntu have for canisters of Rust: compiler, cargo, the library for WebAssembly, and its linker. */
const PACKAGES = ['rustc', 'cargo', 'libstd-rust-dev-wasm32', 'lld'];
/** Folder of the toolchain that tests of Rust take. */
const target = path.join(cache, 'rust');
/** There where the machine has those packages. */
const INSTALLED = '/usr/lib/rustlib/wasm32-unknown-unknown';
/** How long asking for a package, or fetching them, may take, in milliseconds. */
const PATIENCE_MS = 300_000;

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {string | null} what it printed; null when it failed
 */
function output(program, args, cwd) {
  const { status, stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : null;
}

/**
 * Names of the packages that the machine lacks for Rust.
 * @returns {string[] | null} null where its lists do not have them
 */
function missing() {
  const plan = output('apt-get', ['install', '-s', '--no-install-recommends', ...PACKAGES]);
  if (plan === null) return null;
  return plan.split('\n').flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
}

/**
 * A program that finds its libraries beside it, wherever the folder is.
 * @param {string} folder
 * @param {string} name
 * @param {string} program
 */
function writeDoor(folder, name, program) {
  const file = path.join(folder, 'bin', name);
  const text = `#!/bin/sh
here=\${0%/*}/..
export LD_LIBRARY_PATH="$here/usr/lib/LIBRARIES"
export PATH="$here/usr/bin:$PATH"
exec "$here/${program}" "$@"
`;
  const triple = readdirSync(path.join(folder, 'usr', 'lib')).find((one) => one.endsWith('-linux-gnu')) ?? '';
  writeFileSync(file, text.replace('LIBRARIES', triple));
  chmodSync(file, 0o755);
}

/**
 * Brings a Rust that compiles canisters, for tests: packages of Debian or Ubuntu, unpacked beside the other programs and installed
 * nowhere. A machine without apt has none, and tests of Rust say so.
 */
export function bringRust() {
  if (existsSync(target) || existsSync(INSTALLED) || process.platform !== 'linux') return;
  let names = missing();
  // Lists may be there, but empty; only root may fetch them.
  if (names === null && process.getuid?.() === 0 && output('apt-get', ['update']) !== null) names = missing();
  if (names === null) return;
  process.stdout.write('Fetching Rust ...\n');
  mkdirSync(path.dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}-`);
  try {
    const wanted = [...new Set([...names, ...PACKAGES])];
    if (output('apt-get', ['download', ...wanted], folder) === null) return;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
      if (output('dpkg', ['-x', file, '.'], folder) === null) return;
      rmSync(path.join(folder, file));
    }
    mkdirSync(path.join(folder, 'bin'));
    symlinkSync(path.join('usr', 'lib'), path.join(folder, 'lib'));
    writeDoor(folder, 'cargo', 'usr/bin/cargo');
    writeDoor(folder, 'rustc', 'usr/bin/rustc');
    chmodSync(folder, 0o755);
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
