import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildInput } from '../builder.ts';
import { npmEnvironment } from '../npm-environment.ts';
import { cachePath } from '../sandbox.ts';
import { BuildError, type BuildRun, runStep, type StepOptions } from '../step-runner.ts';

/** The client of the mops registry, and what npm says of its archive (dist.integrity). */
const CLIENT = 'ic-mops';
const VERSION = '2.9.0';
const INTEGRITY = '3SoYXVPbaR+fEFQbuc2Wfwh8YvVxJt7bloo3P06Gzb2HL5QvpPCf5YqELhzUX7MpCRTbuUq5m5PLoEBgrdor+g==';

/** Kept beside what else is made at the first start: it is the same for every server of this version. */
const KEPT = fileURLToPath(new URL(`../../../../../.cache/tools/${CLIENT}-${VERSION}`, import.meta.url));

/** What the client's archive leaves out: a module that unpacks compilers, which are never downloaded here. */
const NO_COMPILERS = {
  'package.json': '{"name":"@napi-rs/lzma","type":"module","exports":{"./xz":"./xz.js"}}\n',
  'xz.js': "export const decompress = () => { throw new Error('Compilers are not downloaded here.'); };\n",
};

/** Programs that a step of ours may start: none of the project, as far as steps have a separate root. */
export function systemPath(run: BuildRun): Record<string, string> {
  return run.sandbox.ownRoot ? { PATH: '/opt/cannery/bin:/usr/local/bin:/usr/bin:/bin' } : {};
}

/** Where a step sees a folder that it is given as its cache. */
export function seenCache(run: BuildRun, folder: string): string {
  return run.sandbox.ownRoot ? cachePath : folder;
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
 * Folder of the client, whose program is `bundle/cli.js`. The first call brings its archive from the npm registry, checks
 * it against the hash above and unpacks it.
 * @throws BuildError when it cannot be had
 */
export async function mopsClient(run: BuildRun, input: BuildInput): Promise<string> {
  if (await exists(join(KEPT, 'bundle', 'cli.js'))) return KEPT;
  const scratch = join(run.folders.root, `client-${randomUUID()}`);
  await mkdir(scratch);
  await download(run, input, scratch);
  for (const archive of [`${CLIENT}-${VERSION}.tgz`, 'package/bundle/cli.tgz']) {
    const { exitCode } = await runQuietly(run, {
      argv: ['tar', '-xzf', join(seenCache(run, scratch), archive), '-C', seenCache(run, scratch)],
      way: null,
      env: systemPath(run),
      cache: scratch,
    });
    if (exitCode !== 0) throw new BuildError(`The archive of ${CLIENT} could not be unpacked with tar.`);
  }
  const left = join(scratch, 'bundle', 'node_modules', '@napi-rs', 'lzma');
  await mkdir(left, { recursive: true });
  for (const [file, text] of Object.entries(NO_COMPILERS)) await writeFile(join(left, file), text);
  return (await keep(scratch)) ? KEPT : scratch;
}

/** Moves the client to where the next build finds it; false where the product's folder cannot be written. */
async function keep(scratch: string): Promise<boolean> {
  try {
    await mkdir(KEPT, { recursive: true });
    await rename(join(scratch, 'bundle'), join(KEPT, 'bundle'));
    return true;
  } catch {
    // Another build may have been faster.
    return exists(join(KEPT, 'bundle', 'cli.js'));
  }
}

async function download(run: BuildRun, input: BuildInput, scratch: string): Promise<void> {
  run.say(`Downloading the mops client (${CLIENT} ${VERSION} of npm), once for this server.`);
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator, scratch);
  const way = await input.openWay(run.say);
  try {
    const folder = seenCache(run, scratch);
    const { exitCode, lines } = await runQuietly(run, {
      argv: ['npm', 'pack', `${CLIENT}@${VERSION}`, '--ignore-scripts', `--pack-destination=${folder}`],
      way: way.address,
      env: { ...npm.env, ...systemPath(run) },
      files: npm.files,
      cache: scratch,
    });
    const reason = lines.find((line) => /^npm (?:error|ERR!)/.test(line)) ?? `exit code ${exitCode}`;
    if (exitCode !== 0) throw new BuildError(`The mops client cannot be downloaded: ${reason}.`);
  } finally {
    await way.close();
  }
  const archive = await readFile(join(scratch, `${CLIENT}-${VERSION}.tgz`));
  if (createHash('sha512').update(archive).digest('base64') !== INTEGRITY) {
    throw new BuildError(
      `The npm registry sent a ${CLIENT} ${VERSION} that is not the one known here: its hash differs.`,
    );
  }
}
