import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildInput } from '../../builder.ts';
import { npmEnvironment } from '../../step/operator-npm.ts';
import type { ProgramFolder } from '../../sandbox/sandbox.ts';
import { type BuildRun, runStep, type StepOptions } from '../../step/step-runner.ts';
import { BuildError } from '../../build-error.ts';
import type { Workspace } from '../../disks/workspace.ts';

/** Bytes of the client's archive that are read; it has 6 MB. */
const ARCHIVE_LIMIT = 64 * 1024 * 1024;

/** The client of the mops registry, and what npm says of its archive (dist.integrity). */
const CLIENT = 'ic-mops';
const VERSION = '2.9.0';
const ARCHIVE = `${CLIENT}-${VERSION}.tgz`;
const INTEGRITY = '3SoYXVPbaR+fEFQbuc2Wfwh8YvVxJt7bloo3P06Gzb2HL5QvpPCf5YqELhzUX7MpCRTbuUq5m5PLoEBgrdor+g==';

/** Kept beside what else is made at the first start: it is the same for every server of this version. */
const KEPT = fileURLToPath(new URL(`../../../../../../.cache/tools/${CLIENT}-${VERSION}`, import.meta.url));

/** What the client's archive leaves out: a module that unpacks compilers, which are never downloaded here. */
const NO_COMPILERS = {
  'package.json': '{"name":"@napi-rs/lzma","type":"module","exports":{"./xz":"./xz.js"}}\n',
  'xz.js': "export const decompress = () => { throw new Error('Compilers are not downloaded here.'); };\n",
};

/** Programs that a step of ours may start: none of the project, as far as steps have a separate root. */
export function systemPath(run: BuildRun): Record<string, string> {
  return run.sandbox.ownRoot ? { PATH: '/opt/cannery/bin:/usr/local/bin:/usr/bin:/bin' } : {};
}

/** Runs a step of ours whose output is not the reader's business; its lines are returned. */
export async function runQuietly(
  run: BuildRun,
  options: StepOptions,
): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const quiet = { ...run, onLine: (line: string) => void (lines.length < 1_000 && lines.push(line)) };
  return { exitCode: await runStep(quiet, options), lines };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The client, whose program is `bundle/cli.js`. The first call brings its archive from the npm registry, checks it against the
 * hash above and unpacks it, with nothing of any project there.
 * @throws BuildError when it cannot be had
 */
export async function mopsClient(run: BuildRun, input: BuildInput): Promise<ProgramFolder> {
  const ownPlace = join(input.programs.folder, `${CLIENT}@${VERSION}`);
  for (const disk of [KEPT, ownPlace])
    if (await exists(join(disk, 'bundle', 'cli.js'))) return { disk, bin: 'bundle' };
  const folders = await input.programs.openWorkspace();
  try {
    const apart = { ...run, folders };
    await download(apart, input);
    for (const archive of [ARCHIVE, 'package/bundle/cli.tgz']) {
      const argv = ['tar', '-xzf', archive];
      const { exitCode } = await runQuietly(apart, { argv, way: null, env: systemPath(run) });
      if (exitCode !== 0) throw new BuildError(`The archive of ${CLIENT} could not be unpacked with tar.`);
    }
    for (const [file, text] of Object.entries(NO_COMPILERS))
      await folders.source.write(`bundle/node_modules/@napi-rs/lzma/${file}`, text);
    return { disk: await keep(folders, ownPlace), bin: 'bundle' };
  } finally {
    await folders.remove();
  }
}

/** Moves the client to where the next build finds it; the product's folder may not be one that can be written. */
async function keep(folders: Workspace, ownPlace: string): Promise<string> {
  for (const place of [KEPT, ownPlace]) {
    try {
      await mkdir(dirname(place), { recursive: true });
      await folders.publish(place);
      return place;
    } catch {
      // It lies on another disk, or belongs to somebody else.
    }
  }
  throw new BuildError(`The mops client cannot be kept in ${dirname(ownPlace)}.`);
}

async function download(run: BuildRun, input: BuildInput): Promise<void> {
  run.say(`Downloading the mops client (${CLIENT} ${VERSION} of npm), once for this server.`);
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator);
  const way = await input.openWay(run.say);
  try {
    const { exitCode, lines } = await runQuietly(run, {
      argv: ['npm', 'pack', `${CLIENT}@${VERSION}`, '--ignore-scripts'],
      way: way.address,
      env: { ...npm.ownEnv, ...systemPath(run) },
      files: npm.files,
    });
    const reason = lines.find((line) => /^npm (?:error|ERR!)/.test(line)) ?? `exit code ${exitCode}`;
    if (exitCode !== 0) throw new BuildError(`The mops client cannot be downloaded: ${reason}.`);
  } finally {
    await way.close();
  }
  const archive = await run.folders.source.read(ARCHIVE, ARCHIVE_LIMIT);
  if (typeof archive === 'string' || createHash('sha512').update(archive).digest('base64') !== INTEGRITY) {
    throw new BuildError(
      `The npm registry sent a ${CLIENT} ${VERSION} that is not the one known here: its hash differs.`,
    );
  }
}
