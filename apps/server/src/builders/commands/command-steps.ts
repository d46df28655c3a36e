import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WayOut } from '../../egress/egress-proxy.ts';
import { type BuildPlan, planBuild } from './build-command.ts';
import type { BuildInput } from '../builder.ts';
import { installPackages } from './install-packages.ts';
import { projectPath } from '../source/project-files.ts';
import { npmEnvironment, quietNpm } from '../step/operator-npm.ts';
import { CauseFinder, causeText, type FailureCause } from '../step/failure-cause.ts';
import { findInstallRoot } from '../packages/npm/find-root.ts';
import { fetchProgram, type ProgramPackage } from '../packages/programs/fetch-program.ts';
import { prepareTools, type PreparedTools } from '../packages/npm/prepare-tools.ts';
import type { ProgramFolder } from '../sandbox/sandbox.ts';
import { shellQuoted } from '../process/shell-quoted.ts';
import { type SecondTry, SecondTryFinder } from './second-try.ts';
import { type BuildRun, runStep, since, type StepOptions } from '../step/step-runner.ts';
import { BuildError } from '../build-error.ts';

/** No program asks anything, and site generators do not report home. */
const QUIET_COMMANDS: Readonly<Record<string, string>> = {
  CI: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  GATSBY_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  STORYBOOK_DISABLE_TELEMETRY: '1',
  NG_CLI_ANALYTICS: 'false',
  BROWSERSLIST_IGNORE_OLD_DATA: '1',
};

/** Share of the build's memory that JavaScript of one process may use, below the bound so that Node tells what happened. */
const HEAP_SHARE = 0.75;

/** Where a step with a separate root sees the variables of the deploy's settings. */
const VARIABLES = '/opt/cannery/variables';

/** Reads the file that is its first argument, then runs the second. */
const READ_VARIABLES = '. "$1" && exec sh -c "$2"';

const NO_TOOLS: PreparedTools = { steps: null, programs: [], node: null };

/** A command of a project, and what it needs. */
interface ProjectCommand {
  /** Shell text of the project; it may begin with the installing of packages. */
  readonly command: string;
  /** Folder in which it runs, relative to the checkout; empty for the checkout itself. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of a build that run programs of the project. */
export interface CommandSteps {
  /**
   * Installs the packages that a command needs, then runs it; the step that installs them has a way out.
   * @throws BuildError when a step fails
   */
  run(command: ProjectCommand): Promise<void>;
}

/** Work with command steps; they share one way out, which is opened for the first that needs it and closed at the end. */
export async function withCommandSteps<T>(
  run: BuildRun,
  input: BuildInput,
  work: (steps: CommandSteps) => Promise<T>,
): Promise<T> {
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator);
  let opened: Promise<WayOut> | undefined;
  const refusals: string[] = [];
  const onNote = (text: string): void => {
    refusals.push(text);
    run.say(text);
  };
  const way = async (): Promise<string> => (await (opened ??= input.openWay(onNote))).address;
  const access = { npm, programs: input.programs, way, operator: input.operator, deployId: input.deployId };
  /** By folder: several commands of a build share what the first of them has prepared. */
  const prepared = new Map<string, PreparedTools>();
  const failedScripts: string[] = [];
  const install = async (folder: string, plan: BuildPlan): Promise<PreparedTools> => {
    const root = await findInstallRoot(run.folders.source, folder, plan.tools, run.signal);
    if (root === null) return NO_TOOLS;
    const tools = prepared.get(root.folder) ?? (await prepareTools(run, access, root));
    prepared.set(root.folder, tools);
    const failed = await installPackages(run, { ...access, tools, root, legacyPeers: plan.legacyPeers });
    if (failed.length > 0) failedScripts.push(...failed, ...refusals.slice(-1));
    return tools;
  };
  const writeVariables = variablesWriter(run, input.variables);
  const steps: CommandSteps = {
    async run({ command, folder = '', env = {} }) {
      const plan = planBuild(command);
      for (const written of plan.left)
        run.say(`'${written}' is left out here: it runs as a separate step, or is not needed.`);
      let tools = NO_TOOLS;
      let packagesIn = folder;
      for (const place of plan.installIn) {
        const inside = projectPath('The build command', folder, place);
        packagesIn = inside === '.' ? '' : inside;
        tools = await install(packagesIn, plan);
      }
      if (plan.command === '') return;
      const heap = Math.floor(input.memoryMegabytes * HEAP_SHARE);
      await runCommand(run, {
        command: plan.command,
        folder,
        packagesIn,
        failedScripts,
        programs: tools.programs,
        node: tools.node,
        fetch: (program) => fetchProgram(run, access, program),
        variables: await writeVariables(env),
        env: {
          ...quietNpm,
          ...QUIET_COMMANDS,
          NODE_OPTIONS: `--max-old-space-size=${heap}`,
          ...tools.steps?.env,
          ...env,
        },
        way: input.commandHasNetwork ? await way() : null,
      });
    },
  };
  try {
    return await work(steps);
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** The variables of the deploy's settings as a step reads them; null for none. */
interface VariablesFile {
  /** Path as the step sees it. */
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Writes variables as a file that a shell reads. They are neither in the arguments nor in the environment of any program
 * outside the sandbox: there, other users of the machine could read them, and a name such as LD_PRELOAD would act.
 * @returns what writes those which the build does not set itself, and says once which of them it does
 */
function variablesWriter(
  run: BuildRun,
  variables: ReadonlyMap<string, string>,
): (own: Readonly<Record<string, string>>) => Promise<VariablesFile | null> {
  const said = new Set<string>();
  return async (own) => {
    const given = [...variables].filter(([name]) => !(name in own));
    for (const name of variables.keys()) {
      if (name in own && !said.has(name))
        run.say(`The variable ${name} of the settings is not used: the build sets it.`);
      said.add(name);
    }
    if (given.length === 0) return null;
    const disk = join(run.folders.root, 'variables');
    await writeFile(disk, given.map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`).join(''));
    return run.sandbox.ownRoot
      ? { path: VARIABLES, files: new Map([[VARIABLES, disk]]) }
      : { path: disk, files: new Map() };
  };
}

interface CommandRun
  extends Required<ProjectCommand>,
    Required<Pick<StepOptions, 'way' | 'programs' | 'packagesIn'>> {
  /** The Node among the programs; null where it is that of the server. */
  readonly node: ProgramFolder | null;
  /** Fetches a program that turns out to be missing; null when it cannot be had. */
  readonly fetch: (program: ProgramPackage) => Promise<ProgramFolder | null>;
  readonly variables: VariablesFile | null;
  /** Install scripts that failed before. */
  readonly failedScripts: readonly string[];
}

async function runCommand(run: BuildRun, options: CommandRun): Promise<void> {
  const { command, folder, failedScripts, env, programs, node, fetch, variables, ...step } = options;
  const shell = [
    'sh',
    '-c',
    ...(variables === null ? [command] : [READ_VARIABLES, 'sh', variables.path, command]),
  ];
  run.say('==> Building', 'build');
  run.say(folder === '' ? `$ ${command}` : `$ ${command}   (in ${folder})`);
  const start = performance.now();
  const tries: SecondTry[] = [];
  for (let given = { env, programs }; ; ) {
    const causes = new CauseFinder();
    const others = new SecondTryFinder();
    const exitCode = await runStep(run, {
      // The command is the project's own shell text; it runs in the sandbox and nowhere else.
      argv: [...(folder === '' ? [] : ['env', '-C', `./${folder}`]), ...shell],
      ...(variables === null ? {} : { files: variables.files }),
      ...step,
      ...given,
      watch: (line) => {
        causes.see(line);
        others.see(line);
      },
    });
    if (exitCode === 0) break;
    const other = others.next(tries, node !== null && given.programs.includes(node));
    const missing = other?.program ?? null;
    const added = missing === null ? null : await fetch(missing);
    if (other === null || (missing !== null && added === null)) {
      throw failure(exitCode, causes.cause(exitCode, step.way !== null), failedScripts);
    }
    run.say(other.say);
    tries.push(other);
    const kept = given.programs.filter((one) => other.ownNode !== true || one !== node);
    given = {
      env: { ...given.env, ...other.env(given.env) },
      programs: added === null ? kept : [...kept, added],
    };
  }
  run.say(`Built in ${since(start)}.`);
}

function failure(exitCode: number, cause: FailureCause | null, failedScripts: readonly string[]): BuildError {
  const scripts =
    failedScripts.length === 0
      ? ''
      : ` Before that, install scripts failed: ${failedScripts.join(', ').replace(/\.$/, '')}.`;
  const usual = 'Correct what the log names, push, and deploy again.';
  return new BuildError(
    `The build command failed with exit code ${exitCode}.${scripts}${causeText(cause, usual)}`,
  );
}
