import { posix } from 'node:path';
import type { OperatorNpm } from '../step/operator-npm.ts';
import { isClassicYarn, type PackageTool } from '../packages/npm/choose-tool.ts';
import type { InstallRoot } from '../packages/npm/find-root.ts';
import type { RegistryAccess } from '../packages/programs/fetch-program.ts';
import { CauseFinder, causeText } from '../step/failure-cause.ts';
import { type Rebuilt, rebuildPackages, runOwnScripts } from '../packages/npm/install-scripts.ts';
import { keptPackages } from '../packages/npm/kept-packages.ts';
import { type BuildRun, runStep, since, type StepOptions, withPatience } from '../step/step-runner.ts';
import type { PreparedTools } from '../packages/npm/prepare-tools.ts';
import type { ToolSteps } from '../packages/npm/tool-steps.ts';
import { BuildError } from '../build-error.ts';

export interface InstallOptions extends RegistryAccess {
  readonly operator: OperatorNpm;
  readonly root: InstallRoot;
  readonly legacyPeers: boolean;
  readonly tools: PreparedTools;
  readonly deployId: string;
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

function failed(tool: string, exitCode: number, causes: CauseFinder): BuildError {
  const usual =
    'The log names the package; check package.json and its lock file, and that the package registry can be reached.';
  const end = causeText(causes.cause(exitCode, true), usual);
  return new BuildError(`Installing the packages with ${tool} failed with exit code ${exitCode}.${end}`);
}

/** Takes what the cache says of a package without asking the registry whether it is still so. */
const CACHE_FIRST = '--prefer-offline';

/** The caches that deploys of a user share: nothing that code of a project has written has a say in a step that gets them. */
function withCaches({ folders }: BuildRun): Pick<StepOptions, 'cache' | 'hasEmptyHome'> {
  return { cache: folders.cache, hasEmptyHome: true };
}

function without(flags: readonly string[], flag: string): string[] {
  return flags.filter((one) => one !== flag);
}

/** Runs npm and tries again in the cases that have a known way out. */
async function installWithNpm(
  run: BuildRun,
  options: InstallOptions,
  command: 'ci' | 'install',
  extra: string[],
): Promise<void> {
  const { root, npm, tools } = options;
  let code: string | undefined;
  const causes = new CauseFinder();
  const prefix = root.folder === '' ? [] : ['--prefix', root.folder];
  run.say(`$ npm ${[command, ...prefix, ...without(extra, CACHE_FIRST)].join(' ')}`);
  const exitCode = await runStep(run, {
    argv: ['npm', command, ...prefix, ...extra, ...SAFE_FLAGS],
    way: await options.way(),
    env: npm.env,
    files: npm.files,
    programs: tools.programs,
    ...withCaches(run),
    watch: (line) => {
      causes.see(line);
      code ??= /^npm (?:error|ERR!) code (\w+)/.exec(line)?.[1];
    },
  });
  if (exitCode === 0) return;
  if (code === 'EUSAGE' && command === 'ci') {
    run.say('The lock file does not fit package.json; installing from package.json.');
    return installWithNpm(run, options, 'install', without(extra, CACHE_FIRST));
  }
  if (code === 'ETARGET' && extra.includes(CACHE_FIRST)) {
    run.say('The cache is older than the lock file; asking the registry.');
    return installWithNpm(run, options, command, without(extra, CACHE_FIRST));
  }
  if (code === 'ERESOLVE' && !extra.includes('--legacy-peer-deps')) {
    run.say('Peer packages contradict each other; trying again without checking them.');
    return installWithNpm(run, options, command, [...extra, '--legacy-peer-deps']);
  }
  throw failed('npm', exitCode, causes);
}

/**
 * Runs another tool, first by the lock file and, when that does not fit, without.
 * @returns whether it said that there are install scripts to run; true when it does not say
 */
async function installWithTool(run: BuildRun, options: InstallOptions, steps: ToolSteps): Promise<boolean> {
  const { root, npm, tools } = options;
  const { name, lock } = root.tool;
  await using settings = new AsyncDisposableStack();
  const { settingsFile } = steps;
  if (settingsFile !== undefined) settings.defer(() => run.folders.source.remove(settingsFile));
  if (lock === 'yarn.lock') await followRegistry(run, options, posix.join(root.folder, lock));
  let scripted = steps.scripted === null;
  for (const exact of lock === null ? [false] : [true, false]) {
    const argv = steps.install(exact);
    run.say(`$ ${argv.slice(0, 3).join(' ')}${root.folder === '' ? '' : `   (in ${root.folder})`}`);
    let unfit = false;
    const causes = new CauseFinder();
    const early = new AbortController();
    const watched = { ...run, signal: AbortSignal.any([run.signal, early.signal]) };
    const exitCode = await runStep(watched, {
      argv: [...(root.folder === '' ? [] : ['env', '-C', `./${root.folder}`]), ...argv],
      way: await options.way(),
      // These tools find the proxy without Node's help, of which some releases warn.
      env: { ...npm.env, ...steps.env, ...steps.installEnv, NODE_USE_ENV_PROXY: '0' },
      files: npm.files,
      programs: tools.programs,
      ...withCaches(run),
      watch: (line) => {
        causes.see(line);
        unfit ||= steps.unfit.test(line);
        scripted ||= steps.scripted?.test(line) === true;
        if (steps.hopeless?.test(line) === true) early.abort(failed(name, 1, causes));
      },
    });
    if (exitCode === 0) return scripted;
    if (!exact || !unfit) throw failed(name, exitCode, causes);
    run.say(`${lock} does not fit package.json or the settings; installing from package.json.`);
  }
  return scripted;
}

/** Bytes of a lock file that is read; the largest known has 6 MB. */
const LOCK_LIMIT = 32 * 1024 * 1024;

/** The first yarn takes packages from the addresses in its lock file; they follow the configured registry as npm's do. */
async function followRegistry(run: BuildRun, { operator }: InstallOptions, path: string): Promise<void> {
  const registry = operator.registry.replace(/\/?$/, '/');
  await run.folders.source.ask({ op: 'followRegistry', path, registry, most: LOCK_LIMIT });
}

/** What a project's tool would have done that npm cannot. */
function sayInstead(run: BuildRun, tool: PackageTool): void {
  if (tool.name === 'npm' || tool.lock === null) return;
  run.say(
    `${tool.lock} belongs to ${tool.name}; packages are installed with npm. Commit a package-lock.json for exact versions.`,
  );
}

async function install(run: BuildRun, options: InstallOptions): Promise<boolean> {
  const { root, tools, legacyPeers } = options;
  const { steps } = tools;
  if (steps !== null) {
    try {
      return await installWithTool(run, options, steps);
    } catch (error) {
      if (!(error instanceof BuildError) || !isClassicYarn(root.tool)) throw error;
      run.say('yarn failed; trying again with npm, which takes the versions from yarn.lock.');
      await run.folders.source.remove(posix.join(root.folder, 'node_modules'));
    }
  } else sayInstead(run, root.tool);
  const { lock } = root.tool;
  const locked = lock === 'package-lock.json' || lock === 'npm-shrinkwrap.json';
  const extra = legacyPeers ? ['--legacy-peer-deps'] : [];
  // What a lock file names does not change: a registry is asked only for what the cache does not have.
  const quick = locked ? [CACHE_FIRST] : [];
  await installWithNpm(run, options, locked ? 'ci' : 'install', [...extra, ...quick]);
  return true;
}

/** Installs, or takes what an earlier build with the same lock file has installed. */
async function installOrRestore(run: BuildRun, options: InstallOptions): Promise<Rebuilt> {
  run.say('==> Installing packages', 'packages');
  const kept = await keptPackages(run, options);
  if (kept !== null && (await kept.restore())) {
    run.say(`The packages are those of an earlier build with the same ${options.root.tool.lock}.`);
    return { failed: [], withOwn: false };
  }
  const scripted = await withPatience(run, 'Still installing packages', (patient) =>
    install(patient, options),
  );
  const rebuilt = scripted
    ? await withPatience(run, 'Still running install scripts', (patient) => rebuildPackages(patient, options))
    : { failed: [], withOwn: false };
  if (rebuilt.failed.length === 0) await kept?.save();
  return rebuilt;
}

/**
 * Installs the packages of a project that has a package.json and no node_modules, and runs the install scripts.
 * @returns what of the install scripts failed; many packages work without theirs
 * @throws BuildError when the tool fails
 */
export async function installPackages(run: BuildRun, options: InstallOptions): Promise<string[]> {
  const { root } = options;
  if ((await run.folders.source.kindOf(posix.join(root.folder, 'node_modules'))) !== 'none') return [];
  const start = performance.now();
  const { failed, withOwn } = root.own.needsPackages
    ? await installOrRestore(run, options)
    : { failed: [], withOwn: false };
  const own = withOwn
    ? []
    : await withPatience(run, 'Still running install scripts', (patient) => runOwnScripts(patient, options));
  if (root.own.needsPackages) run.say(`Packages are ready after ${since(start)}.`);
  return [...failed, ...own];
}
