import { posix } from 'node:path';
import { readPackageFile } from '../../source/package-files-thread.ts';
import type { ProgramFolder } from '../../sandbox/sandbox.ts';
import type { TenantFolder } from '../../tenant/tenant-folder.ts';
import { type BuildRun, runStep } from '../../step/step-runner.ts';
import type { RegistryAccess } from '../programs/fetch-program.ts';
import type { InstallRoot } from './find-root.ts';
import type { PreparedTools } from './prepare-tools.ts';

function within(folder: string, argv: readonly string[]): readonly string[] {
  return folder === '' ? argv : ['env', '-C', `./${folder}`, ...argv];
}

interface Rebuild {
  readonly argv: readonly string[];
  /** The packages, for the log. */
  readonly of: string;
}

/** How the install scripts of packages are run; null when none has any. */
async function rebuildOf(run: BuildRun, { root, tools: { steps } }: ScriptOptions): Promise<Rebuild | null> {
  if (steps?.rebuild != null) return { argv: steps.rebuild, of: 'packages' };
  const argv = ['npm', 'rebuild', '--ignore-scripts=false'];
  if (steps !== null) return { argv, of: 'packages' };
  const tree = posix.join(root.folder, 'node_modules', '.package-lock.json');
  const scripted = (await readPackageFile('scripted', run.folders.source, tree, run.signal)) ?? [];
  return scripted.length === 0 ? null : { argv, of: scripted.join(', ') };
}

/** An empty folder of this build instead of the user's caches, for a tool that wants one there. */
function scratch(run: BuildRun, { steps }: PreparedTools): { cache?: TenantFolder } {
  return run.sandbox.ownRoot && steps?.wantsCache === true ? { cache: run.folders.scratch } : {};
}

/** What the scripts need; they get the way out, but not the caches. */
export interface ScriptOptions extends RegistryAccess {
  readonly root: InstallRoot;
  readonly tools: PreparedTools;
}

/** Lines that name the package whose script failed: of npm and of pnpm. */
const FAILED_PACKAGE =
  /^npm (?:error|ERR!) path \S{0,500}node_modules\/(\S{1,200})$|node_modules\/(\S{1,200}) \w+: Failed$/;

interface ScriptStep {
  readonly way: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: ReadonlyMap<string, string>;
  readonly programs: readonly ProgramFolder[];
  readonly cache?: TenantFolder;
}

async function scriptStep(run: BuildRun, { npm, tools, way }: ScriptOptions): Promise<ScriptStep> {
  const env = { ...npm.scriptEnv, ...tools.steps?.env, CI: 'true' };
  return { way: await way(), env, files: npm.files, programs: tools.programs, ...scratch(run, tools) };
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
  if (exitCode === 0) return { failed: [], withOwn: options.tools.steps?.rebuild != null };
  run.say('Some install scripts failed; the build goes on, since many packages work without them.');
  return { failed: [`those of ${named ?? 'packages'}`], withOwn: false };
}

/** Runs the install scripts of the project. @returns those that failed */
export async function runOwnScripts(run: BuildRun, options: ScriptOptions): Promise<string[]> {
  const { root, tools } = options;
  const failed: string[] = [];
  const packages = [{ folder: root.folder, own: root.own }, ...(root.member === null ? [] : [root.member])];
  const tool = tools.steps === null ? 'npm' : root.tool.name;
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
