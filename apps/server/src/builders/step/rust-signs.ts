import type { Sign } from './failure-signs.ts';

const NEWER_RUST =
  'Ask the operator for a newer Rust (by rustup; RUST_TOOLCHAIN names its folder), or use a version of the crate that needs less, update Cargo.lock, push, and deploy again.';

/** Lines of cargo and rustc that name the cause by themselves, as `SIGNS`. */
export const RUST_SIGNS: readonly Sign[] = [
  {
    pattern:
      /\block file version `?(\d{1,2})`? (?:was found, but this version of Cargo does not understand|requires `-Znext-lockfile-bump`)/,
    text: ([, version]) =>
      `Cargo.lock is of version ${version}, which the cargo of this server is too old to read`,
    advice:
      'Ask the operator for Rust 1.78 or newer (by rustup; RUST_TOOLCHAIN names its folder), or write version = 3 at the top of Cargo.lock, push, and deploy again.',
  },
  {
    pattern:
      /\bpackage `(\S{1,100} v\S{1,60})` cannot be built because it requires rustc (\d[\w.-]{0,20}) or newer, while the currently active rustc version is (\d[\w.-]{0,20})/,
    text: ([, crate, wanted, own]) => `the crate ${crate} needs Rust ${wanted}, and this server has ${own}`,
    advice: NEWER_RUST,
  },
  {
    // Cargo since 1.84.
    pattern: /^(\S{1,100}@\S{1,60}) requires rustc (\d[\w.-]{0,20})$/,
    text: ([, crate, wanted]) =>
      `the crate ${crate} needs Rust ${wanted}, which is newer than that of this server`,
    advice: NEWER_RUST,
  },
  {
    pattern:
      /\bfeature `edition(\d{4})` is required|\bthis version of Cargo is older than the `(\d{4})` edition/,
    text: ([, wanted, older]) =>
      `a crate is written for the edition ${wanted ?? older} of Rust, which this server's is too old for`,
    advice: NEWER_RUST,
  },
  {
    pattern:
      /\bthe lock file (\S{1,300}) needs to be updated but --locked was passed|\bcannot update the lock file (\S{1,300}) because --locked was passed/,
    text: () => 'Cargo.lock does not fit Cargo.toml',
    advice: 'Run cargo build on your machine, commit Cargo.lock, push, and deploy again.',
  },
  {
    pattern: /\bpackage ID specification `([^`]{1,100})` did not match any packages/,
    text: ([, name]) => `the Cargo workspace has no package '${name}'`,
    advice: 'Correct "package" of the canister in dfx.json or icp.yaml, push, and deploy again.',
  },
  {
    pattern: /^error: linker `([\w.-]{1,60})` not found/,
    text: ([, name]) => `the linker ${name} is not on this server`,
    advice: 'Ask the operator to install it (Debian, Ubuntu: apt-get install gcc lld), then deploy again.',
  },
  {
    pattern: /^(?:= )?note: the `(wasm32-[\w-]{1,40})` target may not be installed/,
    text: ([, target]) => `the Rust of this server has no target ${target}`,
    advice: 'Ask the operator to install it (rustup target add), then deploy again.',
  },
  {
    pattern: /^(error\[E\d{4}\]: .*)$/,
    text: ([, message = '']) => message,
  },
];
