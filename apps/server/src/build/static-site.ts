import { mkdir } from 'node:fs/promises';
import type { WayOut } from '../egress/egress-proxy.ts';
import { filesText, sizeText } from './amount-text.ts';
import { planBuild } from './build-command.ts';
import type { Builder } from './builder.ts';
import { installPackages } from './install-packages.ts';
import { npmEnvironment, quietNpm } from './npm-environment.ts';
import { projectPath } from './motoko/project-files.ts';
import { listSite, publishFolder } from './publish-directory.ts';
import { BuildError, runStep, since } from './step-runner.ts';

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

/** MB that JavaScript of one process may use, below the bound on the whole build so that Node tells what happened. */
const HEAP_SHARE = 0.75;

/** Runs the build command of a site and lists what it has written into the publish directory. */
export const buildStaticSite: Builder = async (run, input) => {
  const plan = planBuild(input.buildCommand);
  const folder = plan.installIn === '' ? '' : projectPath('The build command', plan.installIn);
  await mkdir(input.cache, { recursive: true, mode: 0o700 });
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator, input.cache);
  if (plan.written !== null) run.say(`'${plan.written}' runs as a step by itself.`);
  let opened: Promise<WayOut> | undefined;
  const way = async (): Promise<string> => (await (opened ??= input.openWay(run.say))).address;
  const install = {
    folder: folder === '.' ? '' : folder,
    legacyPeers: plan.legacyPeers,
    npm,
    cache: input.cache,
    way,
  };
  try {
    await installPackages(run, install);
    if (plan.command !== '') {
      const commandWay = input.commandHasNetwork ? await way() : null;
      await runCommand(run, plan.command, Math.floor(input.memoryMegabytes * HEAP_SHARE), commandWay);
    }
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }

  run.say('==> Collecting the site');
  const site = await listSite(
    run.folders.source,
    await publishFolder(run.folders.source, input.publishDirectory),
    input.siteLimits,
  );
  for (const { path, reason } of site.left) run.say(`Not published: ${path}, since ${reason}.`);
  if (site.leftCount > site.left.length)
    run.say(`Not published either: ${site.leftCount - site.left.length} more files.`);
  run.say(`${filesText(site.files.length)}, ${sizeText(site.bytes)} in '${input.publishDirectory || '.'}'.`);
  return { kind: 'site', files: site.files };
};

async function runCommand(
  run: Parameters<Builder>[0],
  command: string,
  heapMegabytes: number,
  way: string | null,
): Promise<void> {
  run.say('==> Building');
  run.say(`$ ${command}`);
  const start = Date.now();
  let wantedNetwork = false;
  const exitCode = await runStep(run, {
    // The command is the user's own shell text; it runs in the sandbox and nowhere else.
    argv: ['sh', '-c', command],
    way,
    env: { ...quietNpm, ...QUIET_TOOLS, NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` },
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
