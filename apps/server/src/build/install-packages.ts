import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NpmEnvironment } from './npm-environment.ts';
import { quietNpm } from './npm-environment.ts';
import { type BuildRun, BuildError, runStep, since } from './step-runner.ts';

export interface InstallOptions {
  /** Folder with package.json, relative to the checkout. */
  readonly folder: string;
  readonly legacyPeers: boolean;
  readonly npm: NpmEnvironment;
  /** Folder on disk for npm's cache; only this step writes it, and no code of a project runs in it. */
  readonly cache: string;
}

interface PackageFile {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  workspaces?: unknown;
}

/** Bytes of a package file that is read. */
const READ_LIMIT = 64 * 1024 * 1024;

/**
 * npm with the network on runs nothing of the project: no script of any package, no git or shell that the project's
 * own .npmrc names. Addresses in a lock file follow the configured registry.
 */
const SAFE_FLAGS = [
  '--ignore-scripts',
  '--git=git',
  '--script-shell=/bin/sh',
  '--include=dev',
  '--replace-registry-host=always',
  '--no-audit',
  '--no-fund',
];

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function readJson<T>(path: string): Promise<T | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > READ_LIMIT) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** The commands to try, in order of faithfulness to the project. */
async function firstCommand(folder: string, say: (line: string) => void): Promise<'ci' | 'install'> {
  const locked = await Promise.all(
    ['package-lock.json', 'npm-shrinkwrap.json'].map((file) => exists(join(folder, file))),
  );
  if (locked.includes(true)) return 'ci';
  for (const [file, tool] of [
    ['yarn.lock', 'yarn'],
    ['pnpm-lock.yaml', 'pnpm'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const) {
    if (await exists(join(folder, file))) {
      say(
        `${file} belongs to ${tool}; packages are installed with npm. Commit a package-lock.json for exact versions.`,
      );
    }
  }
  return 'install';
}

/** Runs npm and tries again in the two cases that have a known way out. */
async function installOnce(
  run: BuildRun,
  options: InstallOptions,
  command: 'ci' | 'install',
  extra: string[],
): Promise<void> {
  let code: string | undefined;
  const prefix = options.folder === '' ? [] : ['--prefix', options.folder];
  const argv = ['npm', command, ...prefix, ...extra, ...SAFE_FLAGS];
  run.say(`$ npm ${[command, ...prefix, ...extra].join(' ')}`);
  const exitCode = await runStep(run, {
    argv,
    network: true,
    env: options.npm.env,
    files: options.npm.files,
    cache: options.cache,
    watch: (line) => {
      code ??= /^npm (?:error|ERR!) code (\w+)/.exec(line)?.[1];
    },
  });
  if (exitCode === 0) return;
  if (code === 'EUSAGE' && command === 'ci') {
    run.say('The lock file does not fit package.json; installing by package.json.');
    return installOnce(run, options, 'install', extra);
  }
  if (code === 'ERESOLVE' && !extra.includes('--legacy-peer-deps')) {
    run.say('Peer packages contradict each other; trying again without checking them.');
    return installOnce(run, options, command, [...extra, '--legacy-peer-deps']);
  }
  throw new BuildError(
    `Installing the packages failed (exit code ${exitCode}). The lines above name the package; ` +
      'check package.json and its lock file, and that the package registry can be reached.',
  );
}

/** Install scripts run after the network has been taken away: those of the packages, then those of the project. */
async function runScripts(run: BuildRun, folder: string, own: PackageFile): Promise<void> {
  const tree = await readJson<{ packages?: Record<string, { hasInstallScript?: boolean }> }>(
    join(run.folders.source, folder, 'node_modules', '.package-lock.json'),
  );
  const withScripts = Object.entries(tree?.packages ?? {}).filter(([, one]) => one.hasInstallScript === true);
  const prefix = folder === '' ? [] : ['--prefix', folder];
  if (withScripts.length > 0) {
    const names = withScripts.map(([path]) =>
      path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
    run.say(`$ npm rebuild   (install scripts of ${[...new Set(names)].join(', ')}; without network)`);
    const exitCode = await runStep(run, {
      argv: ['npm', 'rebuild', ...prefix, '--ignore-scripts=false'],
      network: false,
      env: quietNpm,
    });
    if (exitCode !== 0)
      run.say('Some install scripts failed; the build goes on, since many packages work without.');
  }
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
    if (own.scripts?.[script] === undefined) continue;
    run.say(`$ npm run ${script}   (without network)`);
    const exitCode = await runStep(run, {
      argv: ['npm', 'run', script, ...prefix],
      network: false,
      env: quietNpm,
    });
    if (exitCode !== 0) run.say(`The script ${script} failed with exit code ${exitCode}; the build goes on.`);
  }
}

/**
 * Installs the packages of a project that has a package.json and no node_modules.
 * @throws BuildError when npm fails
 */
export async function installPackages(run: BuildRun, options: InstallOptions): Promise<void> {
  const folder = join(run.folders.source, options.folder);
  const own = await readJson<PackageFile>(join(folder, 'package.json'));
  if (own === null || (await exists(join(folder, 'node_modules')))) return;
  const wanted = { ...own.dependencies, ...own.devDependencies, ...own.optionalDependencies };
  const start = Date.now();
  const needsPackages = Object.keys(wanted).length > 0 || own.workspaces !== undefined;
  if (needsPackages) {
    run.say('==> Installing packages');
    const command = await firstCommand(folder, run.say);
    await installOnce(run, options, command, options.legacyPeers ? ['--legacy-peer-deps'] : []);
  }
  await runScripts(run, options.folder, own);
  if (needsPackages) run.say(`Packages are ready after ${since(start)}.`);
}
