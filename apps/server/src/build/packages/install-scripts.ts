import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPackageFile } from '../package-files-thread.ts';
import type { ProgramFolder } from '../sandbox.ts';
import { type BuildRun, runStep } from '../step-runner.ts';
import type { RegistryAccess } from './fetch-program.ts';
import type { InstallRoot } from './find-root.ts';
import type { ToolSteps } from './tool-steps.ts';

function within(folder: string, argv: readonly string[]): readonly string[] {
  return folder === '' ? argv : ['env', '-C', `./${folder}`, ...argv];
}

interface Rebuild {
  readonly argv: readonly string[];
  /** The packages, for the log. */
  readonly of: string;
}

/** How the install scripts of packages are run; null when none has any. */
async function rebuildOf(run: BuildRun, { root, steps }: ScriptOptions): Promise<Rebuild | null> {
  if (steps?.rebuild != null) return { argv: steps.rebuild, of: 'packages' };
  const argv = ['npm', 'rebuild', '--ignore-scripts=false'];
  if (steps !== null) return { argv, of: 'packages' };
  const tree = join(run.folders.source, root.folder, 'node_modules', '.package-lock.json');
  const scripted = (await readPackageFile('scripted', tree, run.signal)) ?? [];
  return scripted.length === 0 ? null : { argv, of: scripted.join(', ') };
}

/** An empty folder of this build in the place of the user's caches, for tools that want one there. */
async function scratch(run: BuildRun): Promise<{ cache?: string }> {
  if (!run.sandbox.ownRoot) return {};
  const cache = join(run.folders.root, 'scratch');
  await mkdir(cache, { recursive: true });
  return { cache };
}

/** What the scripts need; they get the way out, but not the caches. */
export interface ScriptOptions extends RegistryAccess {
  readonly root: InstallRoot;
  readonly steps: ToolSteps | null;
  readonly programs: readonly ProgramFolder[];
  /** Whether the tool said that no package has an install script. */
  readonly none: boolean;
}

/** Lines that name the package whose script failed: of npm and of pnpm. */
const FAILED_PACKAGE =
  /^npm (?:error|ERR!) path \S{0,500}node_modules\/(\S{1,200})$|node_modules\/(\S{1,200}) \w+: Failed$/;

/**
 * Install scripts of the packages, then those of the project where the tool has not run them as well.
 * @returns what failed: packages, and scripts of the project
 */
export async function runInstallScripts(run: BuildRun, options: ScriptOptions): Promise<string[]> {
  const { root, npm, steps, programs, none } = options;
  const env = { ...npm.scriptEnv, ...steps?.env, CI: 'true' };
  const step = { way: await options.way(), env, files: npm.files, programs, ...(await scratch(run)) };
  const failed: string[] = [];
  const rebuild = root.own.needsPackages && !none ? await rebuildOf(run, options) : null;
  if (rebuild !== null) {
    run.say(`$ ${rebuild.argv.slice(0, 2).join(' ')}   (install scripts of ${rebuild.of})`);
    let named: string | undefined;
    const exitCode = await runStep(run, {
      ...step,
      argv: within(root.folder, rebuild.argv),
      watch: (line) => {
        const [, npm, pnpm] = FAILED_PACKAGE.exec(line) ?? [];
        named ??= npm ?? pnpm;
      },
    });
    if (exitCode !== 0) {
      failed.push(`those of ${named ?? 'packages'}`);
      run.say('Some install scripts failed; the build goes on, since many packages work without.');
    } else if (steps?.rebuild != null) return failed;
  }
  const packages = [{ folder: root.folder, own: root.own }, ...(root.member === null ? [] : [root.member])];
  const tool = steps === null ? 'npm' : root.tool.name;
  for (const { folder, own } of packages) {
    for (const script of own.scripts) {
      run.say(`$ ${tool} run ${script}${folder === '' ? '' : `   (in ${folder})`}`);
      const argv = within(folder, [tool, 'run', script]);
      const exitCode = await runStep(run, { ...step, packagesIn: folder, argv });
      if (exitCode === 0) continue;
      failed.push(`${script} of package.json`);
      run.say(`The script ${script} failed with exit code ${exitCode}; the build goes on.`);
    }
  }
  return failed;
}
