import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { BuildInput } from '../builder.ts';
import { npmEnvironment } from '../npm-environment.ts';
import { removeFolder } from '../remove-folder.ts';
import { BuildError, type BuildRun } from '../step-runner.ts';
import { mopsClient, runQuietly, seenCache, systemPath } from './mops-client.ts';
import { PackageFilesError } from './package-store.ts';

/** A package of the registry, such as `{ name: 'ic', version: '4.0.0' }`. */
export interface PackageId {
  readonly name: string;
  readonly version: string;
}

/** Longest time of one run of the client; 60 packages over a slow line take a minute. */
const TIME_LIMIT_MS = 180_000;
/** For so long a registry that did not answer is not asked again. */
const PAUSE_MS = 60_000;
/** Characters of what the client says; a longer line is code. */
const MESSAGE_LENGTH = 300;
/** Bytes of the lock file that the client writes. */
const LOCK_LIMIT = 4 * 1024 * 1024;

const LOCK = z.object({ hashes: z.record(z.string(), z.record(z.string(), z.string())) });

export function idText({ name, version }: PackageId): string {
  return `${name}@${version}`;
}

/** What the client says went wrong, in one line. */
function reasonIn(output: readonly string[]): string {
  const lines = output.map((line) => stripVTControlCharacters(line).trim()).filter((line) => line !== '');
  const found =
    lines.find((line) => /^(?:Mismatched|Missing|Package .* in lock file)/.test(line)) ??
    lines.find((line) => /^(?:Error:|ERR:)/.test(line)) ??
    lines.find((line) => /^(?:\w+ )?\[?\w*Error\b.*: /.test(line) && line.length < MESSAGE_LENGTH) ??
    lines.at(-1);
  return (found ?? 'it said nothing').replace(/^(?:Error|ERR): /, '').slice(0, MESSAGE_LENGTH);
}

/** Why packages cannot be had; one that is not named was brought. */
export type FailedPackages = ReadonlyMap<string, string>;

/** The registry cannot be reached; asking again would only take time. */
class RegistryUnreachableError extends Error {
  override readonly name = 'RegistryUnreachableError';
}

/**
 * Brings packages of the registry, and what they need, into the store of verified packages. The unmodified client does
 * it in a folder with nothing of the tenant in it, so that its lock file holds the hashes of the registry alone.
 * @returns reasons by package, such as 'ic@4.0.0', for those that could not be brought
 * @throws the reason of the run's signal, or BuildError when the build ran out of time
 */
export async function fetchFromMops(
  run: BuildRun,
  input: BuildInput,
  ids: readonly PackageId[],
): Promise<FailedPackages> {
  const { packages } = input;
  const all = (reason: string): FailedPackages => new Map(ids.map((id) => [idText(id), reason]));
  if (Date.now() < packages.unreachableUntil) {
    return all(`${packages.registry.url} did not answer a moment ago, and is asked again in a minute`);
  }
  const scratch = join(run.folders.root, `mops-${randomUUID()}`);
  try {
    const client = await mopsClient(run, input);
    await mkdir(scratch);
    await cp(join(client, 'bundle'), join(scratch, 'client'), { recursive: true });
    const failed = new Map<string, string>();
    const together = await fetchOnce(run, input, scratch, ids);
    if (together === null) return failed;
    if (ids.length === 1) return all(together);
    // One that the registry does not have keeps the client from bringing the others.
    for (const id of ids) {
      const reason = await fetchOnce(run, input, scratch, [id]);
      if (reason !== null) failed.set(idText(id), reason);
    }
    return failed;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof RegistryUnreachableError) packages.unreachableUntil = Date.now() + PAUSE_MS;
    const isKnown = error instanceof BuildError || error instanceof PackageFilesError;
    if (isKnown || error instanceof RegistryUnreachableError) return all(sentencePart(error.message));
    throw error;
  } finally {
    await removeFolder(scratch);
  }
}

function sentencePart(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}

/**
 * One run of the client for some packages; what it downloads stays in the folder for the next one.
 * @returns why it failed, or null
 */
async function fetchOnce(
  run: BuildRun,
  input: BuildInput,
  scratch: string,
  ids: readonly PackageId[],
): Promise<string | null> {
  await removeFolder(join(scratch, '.mops'));
  await rm(join(scratch, 'mops.lock'), { force: true });
  // The part behind the name tells versions of one package apart; the client leaves it out.
  const lines = ids.map((id) => `"${idText(id)}" = "${id.version}"\n`);
  await writeFile(join(scratch, 'mops.toml'), `[dependencies]\n${lines.join('')}`);
  const result = await runClient(run, input, scratch);
  if (result.exitCode !== 0) return sentencePart(reasonIn(result.lines));
  await takeIn(input, scratch);
  return null;
}

/**
 * Runs the client in its folder, with a way out to the registry.
 * @throws RegistryUnreachableError at once when that leads nowhere: the client itself tries for a long time
 */
async function runClient(
  run: BuildRun,
  input: BuildInput,
  scratch: string,
): Promise<{ exitCode: number; lines: string[] }> {
  const { registry } = input.packages;
  const inside = seenCache(run, scratch);
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator, scratch);
  const unreachable = new AbortController();
  const way = await input.packages.openWay((text) => unreachable.abort(new RegistryUnreachableError(text)));
  const deadline = Math.min(run.deadline, Date.now() + TIME_LIMIT_MS);
  try {
    return await runQuietly(
      { ...run, deadline, signal: AbortSignal.any([run.signal, unreachable.signal]) },
      {
        argv: ['node', join(inside, 'client', 'cli.js'), 'install', '--no-toolchain', '--lock', 'update'],
        way: way.address,
        env: {
          ...npm.env,
          ...systemPath(run),
          HOME: join(inside, 'home'),
          XDG_CACHE_HOME: join(inside, 'cache'),
          XDG_CONFIG_HOME: join(inside, 'config'),
          MOPS_CWD: inside,
          MOPS_NETWORK: registry.isMainnet ? 'ic' : 'local',
          MOPS_REGISTRY_HOST: registry.url,
          MOPS_REGISTRY_CANISTER_ID: registry.canisterId,
          NO_COLOR: '1',
        },
        files: npm.files,
        cache: scratch,
      },
    );
  } finally {
    await way.close();
  }
}

/** Puts what the client has brought into the store, each file checked against the hash of the registry. */
async function takeIn({ packages }: BuildInput, scratch: string): Promise<void> {
  const path = join(scratch, 'mops.lock');
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > LOCK_LIMIT)
    throw new PackageFilesError('The client wrote no lock file.');
  const { hashes } = LOCK.parse(JSON.parse(await readFile(path, 'utf8')));
  for (const [id, files] of Object.entries(hashes)) {
    const own = Object.entries(files).map(([file, hash]): [string, string] => {
      if (!file.startsWith(`${id}/`)) throw new PackageFilesError(`${file} is no file of ${id}.`);
      return [file.slice(id.length + 1), hash];
    });
    await packages.store.add(id, new Map(own), join(scratch, '.mops', id));
  }
}
