import { mkdir } from 'node:fs/promises';
import type { WayOut } from '../egress/egress-proxy.ts';
import { planBuild } from './build-command.ts';
import type { BuildInput } from './builder.ts';
import { installPackages } from './install-packages.ts';
import { projectPath } from './motoko/project-files.ts';
import { npmEnvironment, quietNpm } from './npm-environment.ts';
import { BuildError, type BuildRun, runStep, since } from './step-runner.ts';

/** Site generators report home unless told otherwise. */
const QUIET_TOOLS: Readonly<Record<string, string>> = {
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

/** A command of a project, and what it needs. */
export interface ProjectCommand {
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
  await mkdir(input.cache, { recursive: true, mode: 0o700 });
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator, input.cache);
  let opened: Promise<WayOut> | undefined;
  const way = async (): Promise<string> => (await (opened ??= input.openWay(run.say))).address;
  const steps: CommandSteps = {
    async run({ command, folder = '', env = {} }) {
      const plan = planBuild(command);
      const inside = projectPath('The build command', folder, plan.installIn);
      if (plan.written !== null) run.say(`'${plan.written}' runs as a step by itself.`);
      await installPackages(run, {
        folder: inside === '.' ? '' : inside,
        legacyPeers: plan.legacyPeers,
        npm,
        cache: input.cache,
        way,
      });
      if (plan.command === '') return;
      const heap = Math.floor(input.memoryMegabytes * HEAP_SHARE);
      await runCommand(run, {
        command: plan.command,
        folder,
        env: { ...quietNpm, ...QUIET_TOOLS, NODE_OPTIONS: `--max-old-space-size=${heap}`, ...env },
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

async function runCommand(
  run: BuildRun,
  { command, folder, env, way }: Required<ProjectCommand> & { readonly way: string | null },
): Promise<void> {
  run.say('==> Building', 'build');
  run.say(folder === '' ? `$ ${command}` : `$ ${command}   (in ${folder})`);
  const start = Date.now();
  let wantedNetwork = false;
  const exitCode = await runStep(run, {
    // The command is the project's own shell text; it runs in the sandbox and nowhere else.
    argv: [...(folder === '' ? [] : ['env', '-C', `./${folder}`]), 'sh', '-c', command],
    way,
    env,
    watch: (line) => {
      wantedNetwork ||= /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|getaddrinfo)\b/.test(line);
    },
  });
  if (exitCode !== 0) {
    const hint =
      wantedNetwork && way === null
        ? ' It tried to reach the network, which only the installing of packages may.'
        : '';
    throw new BuildError(
      `The build command failed with exit code ${exitCode}.${hint} Correct what the lines above name, push, and deploy again.`,
    );
  }
  run.say(`Built in ${since(start)}.`);
}
