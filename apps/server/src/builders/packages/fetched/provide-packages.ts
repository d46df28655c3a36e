import type { BuildInput } from '../../builder.ts';
import { type BuildRun, since } from '../../step/step-runner.ts';
import { BUNDLED, registryName, versionText } from '../needs/dependency.ts';
import { fetchGitPackage } from './fetch-git.ts';
import { fetchFromMops, idText, type PackageId } from './fetch-mops.ts';
import { packageNeedsInThread } from '../needs/needs-thread.ts';
import type { NeededPackage } from '../needs/read-needs.ts';

/** Packages name further packages, which are known only when they are there; most chains have five links. */
const MOST_ROUNDS = 20;
/** How many packages a line names. */
const NAMED = 30;

/**
 * Puts the packages into the checkout that the project needs and does not bring along: below `.mops` as mops has them.
 * What cannot be had is said, and left to the compiler, which knows whether it is imported.
 * @returns what `mops sources` answers in this checkout
 * @throws ProjectFileError when the settings cannot be read, or BuildError when the build has to end
 */
export async function provideMotokoPackages(run: BuildRun, input: BuildInput): Promise<string> {
  const start = performance.now();
  const tried = new Set<string>();
  const brought: string[] = [];
  let sources = '';
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const needs = await packageNeedsInThread(run.folders.source, run.signal);
    sources = needs.sources;
    const missing = needs.packages.filter((one) => one.folder === null && !one.isBundled);
    const open = missing.filter(({ place }) => place !== null && !tried.has(place));
    if (open.length === 0) break;
    for (const { place } of open) if (place !== null) tried.add(place);
    brought.push(...(await provideFromMops(run, input, open)), ...(await provideFromGit(run, input, open)));
  }
  if (brought.length > 0) run.say(`Packages: ${named(brought)}; ready after ${since(start)}.`);
  return sources;
}

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

function idOf({ name, source }: NeededPackage): PackageId {
  return { name: registryName(name), version: versionText(source) };
}

async function isThere({ folders }: BuildRun, path: string): Promise<boolean> {
  return (await folders.source.kindOf(path)) !== 'none';
}

/** Writes a package of the store to its place in the checkout; false when the store has none. */
async function place(run: BuildRun, input: BuildInput, wanted: NeededPackage): Promise<boolean> {
  if (wanted.place === null) return false;
  const { source } = run.folders;
  await source.makeParents(wanted.place);
  // Two names may stand for one package.
  if (await isThere(run, wanted.place)) return true;
  return input.packages.store.copyTo(idText(idOf(wanted)), { folder: source, path: wanted.place });
}

/** Packages of the registry: from the store of verified ones, or through the client. */
async function provideFromMops(
  run: BuildRun,
  input: BuildInput,
  open: readonly NeededPackage[],
): Promise<string[]> {
  const wanted = open.filter(({ source }) => source?.kind === 'registry');
  const absent: NeededPackage[] = [];
  const brought: string[] = [];
  const tell = (one: NeededPackage): unknown => brought.push(`${one.name} ${versionText(one.source)} (mops)`);
  for (const one of wanted) {
    if (await place(run, input, one)) tell(one);
    else absent.push(one);
  }
  if (absent.length === 0) return brought;
  const ids = [...new Map(absent.map((one) => [idText(idOf(one)), idOf(one)])).values()];
  run.say(`==> Fetching packages: ${named(ids.map(idText))}`);
  for (const [id, reason] of await fetchFromMops(run, input, ids)) {
    run.say(`The package ${id} cannot be fetched from the mops registry: ${reason}.`);
  }
  for (const one of absent) if (await place(run, input, one)) tell(one);
  return brought;
}

/** Packages of git. base and core come with the compiler; those that old package sets name are of old compilers. */
async function provideFromGit(
  run: BuildRun,
  input: BuildInput,
  open: readonly NeededPackage[],
): Promise<string[]> {
  const brought: string[] = [];
  for (const { name, source, place: target } of open) {
    if (source?.kind !== 'git' || target === null || BUNDLED.has(registryName(name))) continue;
    await run.folders.source.makeParents(target);
    if (await isThere(run, target)) continue;
    run.say(`==> Fetching ${name} ${source.git.ref} from ${source.git.url}`);
    const result = await fetchGitPackage(run, input, source.git, target);
    if ('failure' in result) run.say(`The package ${name} cannot be fetched from git: ${result.failure}`);
    else brought.push(`${name} ${source.git.ref} (git ${result.commit})`);
  }
  return brought;
}
