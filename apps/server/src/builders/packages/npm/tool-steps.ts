import { posix } from 'node:path';
import type { OperatorNpm } from '../../step/operator-npm.ts';
import { isBerry, type PackageTool } from './choose-tool.ts';
import type { ProgramPackage } from '../programs/fetch-program.ts';

/** What the steps of a tool are made of. */
export interface ToolPlaces {
  readonly operator: OperatorNpm;
  /** Folder of the caches of this deploy, as the step sees it. */
  readonly cache: string;
  /** Path of the file with the settings of yarn 2 and later that hold while packages are installed; empty for other tools. */
  readonly yarnSettings: string;
  /** An empty file, as the step sees it. */
  readonly nothing: string;
  /** Whether settings above the folder are those of other packages. */
  readonly underOthers: boolean;
}

/** How a tool installs packages without running anything of the project or of a package. */
export interface ToolSteps {
  /** @param exact whether the lock file must fit and is not changed */
  install(exact: boolean): readonly string[];
  /** A file of the checkout that is there while packages are installed. */
  readonly settingsFile?: string;
  /** For the step that installs, which runs no code of the project. */
  readonly installEnv: Readonly<Record<string, string>>;
  /** For the steps that do. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs the install scripts of packages and those of the project; null where npm does that. */
  readonly rebuild: readonly string[] | null;
  /** What the tool prints when the lock file does not fit package.json. */
  readonly unfit: RegExp;
  /** What it prints when it is going to fail, however long it goes on. */
  readonly hopeless?: RegExp;
  /** Whether it runs install scripts only where its cache was, though it needs nothing of it. */
  readonly wantsCache?: true;
  /** What it prints when there are install scripts to run; null when it does not say. */
  readonly scripted: RegExp | null;
}

const PLATFORM = `${process.platform}-${process.arch}`;
/** Names by which npm has bun for this machine. */
const BUN_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
};
const BINS = 'node_modules/.bin';

/** The package that has a tool; null for npm, and where this machine has no such package. */
export function packageOf(tool: PackageTool): ProgramPackage | null {
  const { name, version } = tool;
  if (version === null || name === 'npm') return null;
  if (name === 'bun') {
    const own = BUN_PACKAGES[PLATFORM];
    return own === undefined ? null : { name: own, version, bin: `node_modules/${own}/bin` };
  }
  return { name: isBerry(tool) ? '@yarnpkg/cli-dist' : name, version, bin: BINS };
}

/** The package that has the newest Node of a line; null where this machine has none. */
export function nodePackage(line: number): ProgramPackage | null {
  if (PLATFORM !== 'linux-x64' && PLATFORM !== 'linux-arm64') return null;
  const name = `node-${PLATFORM}`;
  return { name, version: String(line), bin: `node_modules/${name}/bin` };
}

/** The steps of a tool other than npm. */
export function stepsOf(tool: PackageTool, places: ToolPlaces): ToolSteps {
  if (tool.name === 'pnpm') return pnpm(places);
  if (tool.name === 'bun') return bun(places);
  return isBerry(tool) ? berry(places, Number(tool.version?.split('.')[0])) : classicYarn(places);
}

function pnpm({ operator, cache, underOthers }: ToolPlaces): ToolSteps {
  // Else pnpm 8 to 10 install the packages of the folder with the settings, and none of this one.
  const alone = underOthers ? ['--ignore-workspace'] : [];
  return {
    install: (exact) => [
      'pnpm',
      'install',
      ...alone,
      exact ? '--frozen-lockfile' : '--no-frozen-lockfile',
      '--prod=false',
      '--ignore-scripts',
      // Code of the project: it would run where packages are fetched.
      '--ignore-pnpmfile',
      '--reporter=append-only',
      `--registry=${operator.registry}`,
      `--store-dir=${cache}/pnpm-store`,
      `--config.cache-dir=${cache}/pnpm-cache`,
      // Where it writes is no choice of the project's .npmrc.
      '--config.modules-dir=node_modules',
      '--config.virtual-store-dir=node_modules/.pnpm',
      // A file that two builds share must not be one that either can write.
      '--config.package-import-method=clone-or-copy',
      // A rule of pnpm 11 about the project; what the lock file names is what is installed.
      '--config.strict-dep-builds=false',
    ],
    installEnv: {},
    env: {
      npm_config_manage_package_manager_versions: 'false',
      npm_config_package_manager_strict: 'false',
      npm_config_verify_deps_before_run: 'false',
      pnpm_config_manage_package_manager_versions: 'false',
      pnpm_config_pm_on_fail: 'ignore',
      pnpm_config_verify_deps_before_run: 'false',
    },
    rebuild: [
      'pnpm',
      'rebuild',
      ...(underOthers ? alone : ['--recursive']),
      '--config.ignore-scripts=false',
      '--config.side-effects-cache=false',
      '--config.strict-dep-builds=false',
      // It has noted where the store was, and wants a folder there.
      `--store-dir=${cache}/pnpm-store`,
    ],
    wantsCache: true,
    scripted: null,
    unfit:
      /ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|NO_LOCKFILE|LOCKFILE_BREAKING_CHANGE|BROKEN_LOCKFILE|FROZEN_LOCKFILE\w*)|requires a pnpm-lock\.yaml|not up to date with/,
  };
}

function classicYarn({ operator, cache }: ToolPlaces): ToolSteps {
  return {
    install: (exact) => [
      'yarn',
      'install',
      ...(exact ? ['--frozen-lockfile'] : []),
      '--production=false',
      '--ignore-scripts',
      '--ignore-engines',
      // The project's .yarnrc may name programs and places to write.
      '--no-default-rc',
      '--non-interactive',
      '--no-progress',
      `--registry=${operator.registry}`,
    ],
    installEnv: { YARN_CACHE_FOLDER: `${cache}/yarn-classic` },
    env: { YARN_IGNORE_PATH: '1' },
    rebuild: null,
    scripted: null,
    unfit: /lockfile needs to be updated/,
    // It wants the packages of all systems, and a registry need not have those of others.
    hopeless: /Request failed "404 Not Found"/,
  };
}

/** @param line the first number of the version; a yarn refuses to start with a setting that it does not know */
function berry({ operator, cache, yarnSettings }: ToolPlaces, line: number): ToolSteps {
  return {
    settingsFile: yarnSettings,
    install: (exact) => ['yarn', 'install', ...(exact ? ['--immutable'] : ['--no-immutable'])],
    installEnv: {
      YARN_RC_FILENAME: posix.basename(yarnSettings),
      YARN_ENABLE_SCRIPTS: 'false',
      YARN_ENABLE_MIRROR: 'true',
      YARN_GLOBAL_FOLDER: `${cache}/yarn`,
    },
    env: {
      YARN_IGNORE_PATH: '1',
      YARN_ENABLE_TELEMETRY: '0',
      // Packages lie in the checkout, where the commands of the project find them.
      YARN_ENABLE_GLOBAL_CACHE: 'false',
      YARN_ENABLE_PROGRESS_BARS: 'false',
      ...(line < 4 ? {} : { YARN_ENABLE_CONSTRAINTS_CHECKS: 'false' }),
      YARN_NPM_REGISTRY_SERVER: operator.registry.replace(/\/$/, ''),
      ...plainHttp(operator.registry),
    },
    rebuild: ['yarn', 'rebuild'],
    scripted: /YN000[47]/,
    unfit: /YN0028|YN0056|would have been (?:modified|created) by this install/,
  };
}

/** yarn speaks plain http only to hosts that are named. */
function plainHttp(registry: string): Record<string, string> {
  if (!URL.canParse(registry)) return {};
  const { protocol, hostname } = new URL(registry);
  return protocol === 'http:' ? { YARN_UNSAFE_HTTP_WHITELIST: hostname } : {};
}

function bun({ operator, cache, nothing }: ToolPlaces): ToolSteps {
  return {
    install: (exact) => [
      'bun',
      'install',
      ...(exact ? ['--frozen-lockfile'] : []),
      '--ignore-scripts',
      '--no-progress',
      // Instead of the project's bunfig.toml, which names registries and places to write.
      `--config=${nothing}`,
      `--registry=${operator.registry}`,
      '--backend=copyfile',
    ],
    installEnv: { BUN_INSTALL_CACHE_DIR: `${cache}/bun`, BUN_CONFIG_REGISTRY: operator.registry },
    env: { DO_NOT_TRACK: '1' },
    rebuild: null,
    scripted: null,
    unfit: /lockfile had changes, but lockfile is frozen|lockfile is frozen/,
  };
}
