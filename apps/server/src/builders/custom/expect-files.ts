import { BuildError } from '../build-error.ts';
import { isAddress } from '../project/dfx-settings.ts';
import type { LeftCanister, ModuleCanister, PlannedCanister, SiteCanister } from '../project/plan.ts';
import type { ReadPlan } from '../project/read-plan.ts';
import { cargoPlace } from '../rust/cargo-workspace.ts';
import { listSite, type SiteLimits } from '../site/publish-directory.ts';
import { MODULE_LIMIT } from '../source/safe-files.ts';
import type { BuildRun } from '../step/step-runner.ts';

interface Expected {
  readonly plan: ReadPlan;
  /** What is built. */
  readonly order: readonly Exclude<PlannedCanister, LeftCanister>[];
  /** Modules that were fetched, by the names of canisters. */
  readonly fetched?: ReadonlyMap<string, Uint8Array>;
  readonly limits: SiteLimits;
}

/**
 * Checks the files that a project names and that no command of it can make any more, before canisters are paid for: main
 * files, manifests of Rust, modules and their hashes, interfaces, and folders of websites.
 * @throws BuildError that names the first which is not there
 */
export async function expectFiles(
  run: BuildRun,
  { plan, order, fetched = new Map(), limits }: Expected,
): Promise<void> {
  const place = plan.project.settings ?? 'the project';
  const sources = new Set(plan.sources);
  // Nothing runs before Motoko is compiled.
  for (const canister of order) {
    if (canister.kind === 'motoko' && !sources.has(canister.main))
      throw notThere(canister.main, `the main file of ${canister.name}`, place);
  }
  for (const canister of order.filter((one) => one.kind === 'rust')) await cargoPlace(run, canister);
  // A command may make files of other canisters, too, and modules come before websites.
  for (const canister of order.filter((one) => one.kind === 'module')) {
    if (canister.commands.length > 0) return;
    await expectModule(run, canister, { place, isFetched: fetched.has(canister.name) });
  }
  for (const canister of order.filter((one) => one.kind === 'site')) {
    if (canister.commands.length > 0) return;
    await expectSite(run, canister, limits);
  }
}

async function expectModule(
  run: BuildRun,
  { name, wasm, candid, sha256 }: ModuleCanister,
  { place, isFetched }: { readonly place: string; readonly isFetched: boolean },
): Promise<void> {
  const { source, home } = run.folders;
  const named = [
    ...(wasm === null || isAddress(wasm) ? [] : [{ path: wasm, what: `the module of ${name}` }]),
    ...(candid === null || isAddress(candid) || isWritten(candid)
      ? []
      : [{ path: candid, what: `the interface of ${name}` }]),
  ];
  // Of no bytes: whether it is there is all that counts here. Links are followed as when it is read.
  const found = await source.readSome(named.map(({ path }) => ({ path, size: 0 })));
  for (const [index, { path, what }] of named.entries()) {
    const kind = found[index];
    if (kind === 'none') throw notThere(path, what, place);
    if (kind === 'outside') throw new BuildError(`${path}, ${what}, leads out of the repository.`);
    if (kind === 'other')
      throw new BuildError(`${path}, ${what}, is not a file. Correct ${place}, push, and deploy again.`);
  }
  if (sha256 === null || wasm === null) return;
  const [hash = null] = isFetched
    ? await home.hashesOf([`${name}.fetched`], MODULE_LIMIT)
    : await source.hashesOf([wasm], MODULE_LIMIT);
  if (hash !== null && hash !== sha256) throw new BuildError(otherHash({ name, path: wasm, hash, sha256 }));
}

/** What the message says of a module that has another hash than its project says. */
export function otherHash(given: {
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly sha256: string;
}): string {
  return `${given.path} of ${given.name} has the SHA-256 ${given.hash}, but the project says ${given.sha256}.`;
}

/** Whether an interface may be one that the server writes for the commands of a project. */
function isWritten(path: string): boolean {
  return path.startsWith('.dfx/') || path.split('/').includes('declarations');
}

/** The files of a website that nothing makes: listing them tells all that can be wrong with them. */
async function expectSite(run: BuildRun, { sources }: SiteCanister, limits: SiteLimits): Promise<void> {
  for (const source of sources) await listSite(run.folders.source, source, limits, { isBuilt: false });
}

function notThere(path: string, what: string, place: string): BuildError {
  return new BuildError(
    `${path}, ${what}, is not in the repository, and no command makes it. Commit it or correct ${place}, push, and deploy again.`,
  );
}
