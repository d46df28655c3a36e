import { join, posix } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { BuildInput } from '../../builder.ts';
import { npmEnvironment } from '../../step/operator-npm.ts';
import type { ProgramFolder } from '../../sandbox/sandbox.ts';
import { type BuildRun } from '../../step/step-runner.ts';
import { BuildError } from '../../build-error.ts';
import type { TenantFolder } from '../../tenant/tenant-folder.ts';
import type { Workspace } from '../../disks/workspace.ts';
import { hashOfDependencies } from '../needs/lock-file.ts';
import { mopsClient, runQuietly, systemPath } from './mops-client.ts';
import { PackageFilesError } from '../programs/package-store.ts';

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

/** What the client calls a network whose root key it asks for. */
const LOCAL = 'local';

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
  if (performance.now() < packages.unreachableUntil) {
    return all(`${packages.registry.url} did not answer a moment ago, and is asked again in a minute`);
  }
  let folders: Workspace | null = null;
  try {
    const client = await mopsClient(run, input);
    folders = await input.programs.openWorkspace();
    const work = { run: { ...run, folders }, input, client };
    const failed = await download(work, ids);
    const present = ids.filter((id) => !failed.has(idText(id)));
    if (present.length > 0) await verify(work, present);
    return failed;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof RegistryUnreachableError) packages.unreachableUntil = performance.now() + PAUSE_MS;
    const isKnown = error instanceof BuildError || error instanceof PackageFilesError;
    if (isKnown || error instanceof RegistryUnreachableError) return all(sentencePart(error.message));
    throw error;
  } finally {
    await folders?.remove();
  }
}

function sentencePart(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}

/** One use of the client, in folders with nothing of the tenant in them. */
interface ClientWork {
  readonly run: BuildRun;
  readonly input: BuildInput;
  readonly client: ProgramFolder;
}

/** Writes the settings by which the client sees the packages as those of a project. */
async function writeSettings(scratch: TenantFolder, ids: readonly PackageId[]): Promise<void> {
  // The part behind the name tells versions of one package apart; the client leaves it out.
  const lines = ids.map((id) => `"${idText(id)}" = "${id.version}"\n`);
  await scratch.write('mops.toml', `[dependencies]\n${lines.join('')}`);
}

/** Path of a downloaded package. */
function cachedPackage({ input }: ClientWork, id: PackageId): string {
  const network = input.packages.registry.isMainnet ? '' : LOCAL;
  return posix.join('cache', 'mops', network, 'packages', idText(id));
}

/**
 * Downloads packages into the client's cache, and nothing that they need: what counts of that is decided here, and a
 * package may need one of git, which would keep the client from all others. A lock file of ours makes it do so.
 * @returns reasons by package for those that did not come
 */
async function download(work: ClientWork, ids: readonly PackageId[]): Promise<Map<string, string>> {
  const { source: scratch } = work.run.folders;
  await writeSettings(scratch, ids);
  const deps = Object.fromEntries(ids.map((id) => [idText(id), id.version]));
  const mopsTomlDepsHash = hashOfDependencies(new Map(Object.entries(deps)));
  const lock = { version: 3, mopsTomlDepsHash, deps, hashes: {} };
  await scratch.write('mops.lock', JSON.stringify(lock));
  const { lines } = await runClient(work, ['sources', '--conflicts', 'ignore']);
  const failed = new Map<string, string>();
  for (const id of ids) {
    if (await scratch.isFolder(cachedPackage(work, id))) continue;
    const about = lines.filter((line) => line.includes(idText(id)));
    failed.set(idText(id), sentencePart(reasonIn(about.length > 0 ? about : lines)));
  }
  return failed;
}

/**
 * Asks the registry for the hashes of downloaded packages, and puts what fits them into the store. The client writes the
 * hashes into a new lock file; that it looks for nothing more, the settings of the packages in its cache are emptied.
 * @throws PackageFilesError
 */
async function verify(work: ClientWork, ids: readonly PackageId[]): Promise<void> {
  const { source: scratch } = work.run.folders;
  await writeSettings(scratch, ids);
  await scratch.remove('mops.lock');
  await scratch.remove('.mops');
  await scratch.makeParents('.mops/x');
  for (const id of ids) {
    const cached = cachedPackage(work, id);
    await scratch.move(cached, { folder: scratch, path: `.mops/${idText(id)}` });
    await scratch.write(`${cached}/mops.toml`, '');
  }
  const { exitCode, lines } = await runClient(work, ['install', '--no-toolchain', '--lock', 'update']);
  if (exitCode !== 0) throw new PackageFilesError(reasonIn(lines));
  await takeIn(work);
}

/**
 * Runs the client in its folder, with a way out to the registry.
 * @throws RegistryUnreachableError at once when that leads nowhere: the client itself tries for a long time
 */
async function runClient(
  { run, input, client }: ClientWork,
  command: readonly string[],
): Promise<{ exitCode: number; lines: string[] }> {
  const { registry } = input.packages;
  const { seen } = run.sandbox;
  const inside = seen.source(run.folders);
  const npm = await npmEnvironment(run.sandbox, run.folders, input.operator);
  const unreachable = new AbortController();
  const way = await input.packages.openWay((text) => unreachable.abort(new RegistryUnreachableError(text)));
  const deadline = Math.min(run.deadline, performance.now() + TIME_LIMIT_MS);
  try {
    return await runQuietly(
      { ...run, deadline, signal: AbortSignal.any([run.signal, unreachable.signal]) },
      {
        argv: ['node', join(seen.program(client, 0), client.bin, 'cli.js'), ...command],
        way: way.address,
        env: {
          ...npm.ownEnv,
          ...systemPath(run),
          HOME: join(inside, 'home'),
          XDG_CACHE_HOME: join(inside, 'cache'),
          XDG_CONFIG_HOME: join(inside, 'config'),
          MOPS_CWD: inside,
          MOPS_NETWORK: registry.isMainnet ? 'ic' : LOCAL,
          MOPS_REGISTRY_HOST: registry.url,
          MOPS_REGISTRY_CANISTER_ID: registry.canisterId,
          NO_COLOR: '1',
        },
        files: npm.files,
        programs: [client],
      },
    );
  } finally {
    await way.close();
  }
}

/** Puts what the client has brought into the store, each file checked against the hash of the registry. */
async function takeIn({ run, input: { packages } }: ClientWork): Promise<void> {
  const { source: scratch } = run.folders;
  const found = await scratch.read('mops.lock', LOCK_LIMIT);
  if (typeof found === 'string') throw new PackageFilesError('The client wrote no lock file.');
  const { hashes } = LOCK.parse(JSON.parse(found.toString('utf8')));
  for (const [id, files] of Object.entries(hashes)) {
    const own = Object.entries(files).map(([file, hash]): [string, string] => {
      if (!file.startsWith(`${id}/`)) throw new PackageFilesError(`${file} is not a file of ${id}.`);
      return [file.slice(id.length + 1), hash];
    });
    await packages.store.add(id, new Map(own), { folder: scratch, path: `.mops/${id}` });
  }
}
