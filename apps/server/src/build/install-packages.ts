import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NpmEnvironment } from './npm-environment.ts';
import type { ProjectPackage } from './package-files.ts';
import { readPackageFile } from './package-files-thread.ts';
import { type BuildRun, BuildError, runStep, since } from './step-runner.ts';

export interface InstallOptions {
  /** Folder with package.json, relative to the checkout. */
  readonly folder: string;
  readonly legacyPeers: boolean;
  readonly npm: NpmEnvironment;
  /** Folder on disk for npm's cache of this user; only this step writes it. */
  readonly cache: string;
  /** Address of the way out to registries and git hosts, asked for when it is needed. */
  way(): Promise<string>;
}

/**
 * What counts more than the environment, which counts more than the project's .npmrc: no script of any package runs
 * before its own step, and addresses in a lock file follow the configured registry.
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
    way: await options.way(),
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

/** Install scripts of the packages, then those of the project. They get the way out, but not npm's cache. */
async function runScripts(run: BuildRun, options: InstallOptions, own: ProjectPackage): Promise<void> {
  const { folder, npm } = options;
  const tree = join(run.folders.source, folder, 'node_modules', '.package-lock.json');
  const scripted = (await readPackageFile('scripted', tree, run.signal)) ?? [];
  const prefix = folder === '' ? [] : ['--prefix', folder];
  if (scripted.length > 0) {
    run.say(`$ npm rebuild   (install scripts of ${scripted.join(', ')})`);
    const exitCode = await runStep(run, {
      argv: ['npm', 'rebuild', ...prefix, '--ignore-scripts=false'],
      way: await options.way(),
      env: npm.scriptEnv,
      files: npm.files,
    });
    if (exitCode !== 0)
      run.say('Some install scripts failed; the build goes on, since many packages work without.');
  }
  for (const script of own.scripts) {
    run.say(`$ npm run ${script}`);
    const exitCode = await runStep(run, {
      argv: ['npm', 'run', script, ...prefix],
      way: await options.way(),
      env: npm.scriptEnv,
      files: npm.files,
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
  const own = await readPackageFile('project', join(folder, 'package.json'), run.signal);
  if (own === null || (await exists(join(folder, 'node_modules')))) return;
  const start = Date.now();
  if (own.needsPackages) {
    run.say('==> Installing packages', 'packages');
    const command = await firstCommand(folder, run.say);
    await installOnce(run, options, command, options.legacyPeers ? ['--legacy-peer-deps'] : []);
  }
  await runScripts(run, options, own);
  if (own.needsPackages) run.say(`Packages are ready after ${since(start)}.`);
}
