import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramFolder } from '../sandbox/sandbox.ts';
import type { RustToolchain } from '../sandbox/rust-toolchain.ts';
import type { BuildRun } from '../step/step-runner.ts';

/** Programs of ours for steps of cargo. */
const OURS: ProgramFolder = { disk: fileURLToPath(new URL('programs', import.meta.url)), bin: '.' };
/** The release of cargo from which sparse indexes need no permission, and the one from which crates.io is read so by itself. */
const SPARSE = 68;
/** Folders of the system that every step sees where they are. */
const SYSTEM = ['/usr', '/usr/local'];

/** How steps call cargo. */
export interface CargoPrograms {
  /** Words of the command, up to the subcommand. */
  readonly cargo: readonly string[];
  readonly programs: readonly ProgramFolder[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The programs of a toolchain as steps of a build see them. A project's settings of cargo come after the environment: none of them
 * brings another compiler, or a program before it.
 */
export function cargoPrograms({ sandbox }: BuildRun, toolchain: RustToolchain): CargoPrograms {
  const { folder, cargoVersion } = toolchain;
  const isSystem = SYSTEM.includes(folder);
  const mounted: readonly ProgramFolder[] = isSystem ? [OURS] : [OURS, { disk: folder, bin: 'bin' }];
  const seenAt = (index: number, path: string): string => {
    const program = mounted[index];
    return program === undefined ? join(folder, path) : join(sandbox.seen.program(program, index), path);
  };
  const [cargo, rustc] = [seenAt(1, 'bin/cargo'), seenAt(1, 'bin/rustc')];
  const [, minor = 0] = cargoVersion.split('.').map(Number);
  const isOld = cargoVersion.startsWith('1.') && minor < SPARSE;
  return {
    cargo: isOld ? [cargo, '-Z', 'sparse-registry'] : [cargo],
    programs: mounted,
    env: {
      RUSTC: isOld ? seenAt(0, 'rustc-without-bootstrap') : rustc,
      ...(isOld ? { CANNERY_RUSTC: rustc, RUSTC_BOOTSTRAP: '1' } : {}),
      RUSTC_WRAPPER: '',
      RUSTC_WORKSPACE_WRAPPER: '',
      CARGO_REGISTRIES_CRATES_IO_PROTOCOL: 'sparse',
      CARGO_INCREMENTAL: '0',
      CARGO_TERM_COLOR: 'never',
    },
  };
}
