import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildInput } from '../../src/builders/builder.ts';
import { readOperatorNpm } from '../../src/builders/step/operator-npm.ts';
import { packageMachine } from '../../src/builders/packages/programs/package-machine.ts';
import type { Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import { buildStaticSite } from '../../src/builders/static-site.ts';
import { BuildError } from '../../src/builders/build-error.ts';
import { openWorkspace } from '../../src/builders/disks/workspace.ts';
import {
  type TestWorkspace,
  testMachine,
  testWorkspace,
} from '../../src/builders/disks/workspace.testing.ts';
import type { Toolchain } from '../../src/builders/sandbox/toolchain.ts';
import { configOf } from '../../src/config/config.ts';
import type { EgressProxy } from '../../src/egress/egress-proxy.ts';
import { packageEgress } from '../../src/egress/hosts.ts';
import { readEnv } from '../../src/config/env.ts';
import { createOutsideGit } from '../../src/git/outside/outside-git.ts';

/** The check of a site without secrets, rules or links. */
export const plainSiteCheck: BuildInput['siteCheck'] = {
  secrets: new Map(),
  links: [],
  servedOf: async (files) => ({
    files: files.map(({ path }) => ({ path, hasAliases: true })),
    redirected: [],
    lineProblems: [],
    missing: [],
  }),
};

/** Where sites are built. */
export interface SiteBuilder {
  readonly dataDir: string;
  readonly toolchain: Toolchain;
  readonly egress: EgressProxy;
  /** Port of the operator's registry on loopback. */
  readonly registryPort: number;
  /** What the operator keeps to itself: the token of the registry, and a variable. */
  readonly secret: string;
}

export interface Outcome {
  readonly lines: string[];
  readonly folders: TestWorkspace;
  /** Paths of what would be published. */
  readonly published: string[];
  /** What is installed at the root of the checkout when the build has ended. */
  readonly installed: string[];
}

/** Builds a site of these files as a run does, up to what would be published. */
export async function buildSite(
  { dataDir, toolchain, egress, registryPort, secret }: SiteBuilder,
  sandbox: Sandbox,
  files: Record<string, string>,
  options: Pick<BuildInput, 'buildCommand' | 'commandHasNetwork'>,
  user = 'ada',
): Promise<Outcome> {
  const config = configOf(readEnv({ DATA_DIR: dataDir }));
  // Each mechanism has another user.
  const owner = `${sandbox.name}-${user}`;
  const folders = await testWorkspace(dataDir, sandbox, { owner });
  for (const [path, text] of Object.entries(files)) {
    folders.put(path, text, 0o755);
  }
  const npmrc = join(dataDir, 'operator-npmrc');
  const registryHost = `//127.0.0.1:${registryPort}/`;
  writeFileSync(npmrc, `registry=http:${registryHost}\n${registryHost}:_authToken=${secret}\n`);
  const operator = await readOperatorNpm(toolchain, {
    npm_config_userconfig: npmrc,
    OPERATOR_SECRET: secret,
    PATH: process.env.PATH,
  });
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const later: (() => Promise<void>)[] = [];
  const run = {
    sandbox,
    folders,
    // Several packages are installed on a machine that does much else.
    deadline: performance.now() + 150_000,
    signal: new AbortController().signal,
    say,
    onLine: say,
    afterwards: (work: () => Promise<void>) => void later.push(work),
  };
  const artifact = await buildStaticSite(run, {
    ...options,
    rootDirectory: '',
    deployWithout: [],
    variables: new Map(),
    publishDirectory: '',
    toolchain,
    rust: null,
    cratesIndex: config.rust.indexUrl,
    deployId: 'site',
    programs: {
      folder: join(dataDir, 'cache', `programs-${sandbox.name}`),
      openWorkspace: () =>
        openWorkspace(testMachine(dataDir, sandbox), {
          owner: `programs-${sandbox.name}`,
          id: crypto.randomUUID(),
        }),
    },
    keptModules: join(dataDir, `kept-${sandbox.name}-${user}`),
    memoryMegabytes: 1024,
    siteLimits: config.site,
    siteCheck: plainSiteCheck,
    operator,
    network: 'local',
    installArguments: new Map(),
    part: null,
    openCanisters: () => Promise.reject(new Error('A site is built without canisters.')),
    packages: packageMachine(config, egress, 'socket'),
    outsideGit: await createOutsideGit({ egress: config.egress, proxy: egress, caFile: undefined, dataDir }),
    openWay: (onNote) =>
      egress.open({ hosts: packageEgress(config.egress, operator.registries), at: 'socket', onNote }),
  }).catch((error: unknown) => {
    if (!(error instanceof BuildError)) throw error;
    say(`Failed: ${error.message}`);
    return null;
  });
  const place = join(folders.disk.source, 'node_modules');
  const installed = existsSync(place) ? readdirSync(place) : [];
  for (const work of later) await work();
  const content = artifact?.canisters[0]?.content;
  const published = content?.kind === 'site' ? content.files.map(({ path }) => path) : [];
  return { lines, folders, published, installed };
}
