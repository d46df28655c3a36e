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

/** An empty folder of this build in the place of the user's caches, for a tool that wants one there. */
async function scratch(run: BuildRun, steps: ToolSteps | null): Promise<{ cache?: string }> {
  if (!run.sandbox.ownRoot || steps?.wantsCache !== true) return {};
  const cache = join(run.folders.root, 'scratch');
  await mkdir(cache, { recursive: true });
  return { cache };
}

/** What the scripts need; they get the way out, but not the caches. */
export interface ScriptOptions extends RegistryAccess {
  readonly root: InstallRoot;
  readonly steps: ToolSteps | null;
  readonly programs: readonly ProgramFolder[];
}

/** Lines that name the package whose script failed: of npm and of pnpm. */
const FAILED_PACKAGE =
  /^npm (?:error|ERR!) path \S{0,500}node_modules\/(\S{1,200})$|node_modules\/(\S{1,200}) \w+: Failed$/;

interface ScriptStep {
  readonly way: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
  readonly programs: readonly ProgramFolder[];
  readonly cache?: string;
}

async function scriptStep(run: BuildRun, { npm, steps, programs, way }: ScriptOptions): Promise<ScriptStep> {
  const env = { ...npm.scriptEnv, ...steps?.env, CI: 'true' };
  return { way: await way(), env, files: npm.files, programs, ...(await scratch(run, steps)) };
}

/** What came of the install scripts of packages. */
export interface Rebuilt {
  /** What failed, for the end of the log. */
  readonly failed: readonly string[];
  /** Whether the tool has run the scripts of the project as well. */
  readonly withOwn: boolean;
}

/** Runs the install scripts of packages. */
export async function rebuildPackages(run: BuildRun, options: ScriptOptions): Promise<Rebuilt> {
  const rebuild = await rebuildOf(run, options);
  if (rebuild === null) return { failed: [], withOwn: false };
  run.say(`$ ${rebuild.argv.slice(0, 2).join(' ')}   (install scripts of ${rebuild.of})`);
  let named: string | undefined;
  const exitCode = await runStep(run, {
    ...(await scriptStep(run, options)),
    argv: within(options.root.folder, rebuild.argv),
    watch: (line) => {
      const [, npm, pnpm] = FAILED_PACKAGE.exec(line) ?? [];
      named ??= npm ?? pnpm;
    },
  });
  if (exitCode === 0) return { failed: [], withOwn: options.steps?.rebuild != null };
  run.say('Some install scripts failed; the build goes on, since many packages work without them.');
  return { failed: [`those of ${named ?? 'packages'}`], withOwn: false };
}

/** Runs the install scripts of the project. @returns those that failed */
export async function runOwnScripts(run: BuildRun, options: ScriptOptions): Promise<string[]> {
  const { root, steps } = options;
  const failed: string[] = [];
  const packages = [{ folder: root.folder, own: root.own }, ...(root.member === null ? [] : [root.member])];
  const tool = steps === null ? 'npm' : root.tool.name;
  for (const { folder, own } of packages) {
    for (const script of own.scripts) {
      run.say(`$ ${tool} run ${script}${folder === '' ? '' : `   (in ${folder})`}`);
      const argv = within(folder, [tool, 'run', script]);
      const exitCode = await runStep(run, { ...(await scriptStep(run, options)), packagesIn: folder, argv });
      if (exitCode === 0) continue;
      failed.push(`${script} of package.json`);
      run.say(`The script ${script} failed with exit code ${exitCode}; the build goes on.`);
    }
  }
  return failed;
}
