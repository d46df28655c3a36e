import { posix } from 'node:path';
import { sizeText } from './site/amount-text.ts';
import type { BuiltCanister, DeployCanisters } from './builder.ts';
import { isAddress } from './project/dfx-settings.ts';
import type { MotokoCanister, PlannedCanister } from './project/plan.ts';
import type { PackageSet, ReadPlan } from './project/read-plan.ts';
import { INTERFACE_LIMIT, readFromCheckout } from './source/safe-files.ts';
import { type BuildRun, since, timeLeft } from './step/step-runner.ts';
import { BuildError } from './build-error.ts';
import { flagAliases } from './source/aliases.ts';
import { knownInterface } from './motoko/known-interfaces.ts';
import { type CanisterImport, CompileError, compileMotoko } from './motoko/compile.ts';
import { filterFlags, flagAttempts } from './source/flags.ts';

export interface CompilePlan {
  readonly plan: ReadPlan;
  /** Each after those it imports. */
  readonly order: readonly MotokoCanister[];
  readonly open: DeployCanisters;
  /** Names of the canisters that are deployed. */
  readonly deployed: ReadonlySet<string>;
  /**
   * Whether a new canister that does not compile may be left out, when others do and none needs it. One that is on the
   * network already may not: it would stay behind the others unnoticed.
   */
  readonly mayLeaveOut: boolean;
  /** The sources, by their paths. */
  readonly sources: ReadonlyMap<string, Uint8Array>;
  /** Folder of the modules that are kept for the owner of the project. */
  readonly kept: string;
}

export interface CompiledCanisters {
  readonly built: readonly BuiltCanister[];
  /** Those that do not compile. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  /** Candid texts by the names of canisters. */
  readonly interfaces: ReadonlyMap<string, string>;
}

/** Principal of the management canister; no canister answers calls of a service there. */
const NOBODY = 'aaaaa-aa';
/** Flags a log line names. */
const NAMED = 20;

/** Compiles the Motoko canisters of a project. @throws CompileError, BuildError */
export async function compileCanisters(
  run: BuildRun,
  { order, open, mayLeaveOut, ...rest }: CompilePlan,
): Promise<CompiledCanisters> {
  const built: BuiltCanister[] = [];
  const failed: { name: string; reason: string }[] = [];
  const interfaces = new Map<string, string>();
  for (const canister of order) {
    try {
      const module = await compileOne(run, canister, { ...rest, open, interfaces, failed });
      interfaces.set(canister.name, module.candid);
      const { name, settings, argument } = canister;
      built.push({
        name,
        settings,
        content: { kind: 'module', wasm: module.wasm, candid: module.candid, argument },
      });
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      const isLast = canister === order.at(-1);
      const nothingElse = isLast && built.length === 0;
      if (!mayLeaveOut || open.existing.has(canister.name) || nothingElse) throw error;
      run.say(`${canister.name} does not compile: ${error.message}`);
      failed.push({ name: canister.name, reason: error.message });
    }
  }
  return { built, failed, interfaces };
}

const NO_PACKAGES: PackageSet = { packages: [], wanted: [], missing: [], aliases: [] };

function packagesOf(plan: ReadPlan, name: string): PackageSet {
  return plan.packages.find(([canister]) => canister === name)?.[1] ?? NO_PACKAGES;
}

interface Known extends Pick<CompilePlan, 'plan' | 'sources' | 'open' | 'deployed' | 'kept'> {
  readonly interfaces: ReadonlyMap<string, string>;
  readonly failed: readonly { readonly name: string }[];
}

async function compileOne(run: BuildRun, canister: MotokoCanister, known: Known) {
  const { name, main, flags: given } = canister;
  const { plan } = known;
  const { settings } = plan.project;
  const broken = canister.dependencies.find((needed) => known.failed.some((one) => one.name === needed));
  if (broken !== undefined) throw new CompileError(`It needs ${broken}, which does not compile.`);
  if (!known.sources.has(main)) {
    throw new CompileError(`The main file ${main} of ${name} is not in the repository.`);
  }
  run.say(`==> Compiling ${name}`, 'build');
  run.say(`Main file: ${main} (${settings === null ? 'found by its name' : `named in ${settings}`})`);
  const { flags, dropped } = filterFlags(given);
  for (const flag of dropped.slice(0, NAMED))
    run.onLine(`Flag ${flag} is not supported here and was left out.`);
  const start = performance.now();
  const module = await compileMotoko(
    {
      kept: known.kept,
      main,
      sources: known.sources,
      attempts: flagAttempts(flags),
      ...packagesOf(plan, name),
      canisters: await importsOf(run, canister, known),
    },
    { timeoutMs: timeLeft(run), signal: run.signal, onLine: run.onLine },
  );
  run.say(`Compiled ${sizeText(module.wasm.length)} of WebAssembly in ${since(start)}.`);
  return module;
}

/** The canisters that a canister imports, with their ids and interfaces. */
async function importsOf(run: BuildRun, canister: MotokoCanister, known: Known): Promise<CanisterImport[]> {
  const { plan, interfaces } = known;
  const aliases = new Map(flagAliases(canister.flags).map((one) => [one.alias, one]));
  const names = new Set([...canister.dependencies, ...aliases.keys()]);
  const imports: CanisterImport[] = [];
  for (const name of names) {
    const alias = aliases.get(name);
    const target = alias?.canister ?? name;
    const planned = plan.project.canisters.find((one) => one.name === target);
    const candid =
      interfaces.get(target) ??
      (await writtenInterface(run, planned, alias?.candid ?? null, canister.folder));
    if (candid === null) continue;
    const id = await idOfImport(known, target, planned);
    if (id === null) {
      run.say(`${target} is not deployed, so calls of ${canister.name} to it will be refused.`);
    }
    imports.push({ name, id: id ?? NOBODY, candid });
  }
  return imports;
}

/** The principal of an imported canister; null when it is neither deployed nor known. */
async function idOfImport(
  { open, deployed }: Known,
  name: string,
  planned: PlannedCanister | undefined,
): Promise<string | null> {
  if (deployed.has(name)) return open.idOf(name);
  if (planned === undefined || !('realId' in planned)) return null;
  return planned.kind === 'left' ? (planned.id ?? planned.realId) : planned.realId;
}

/** The interface that the project has as a file, or names by the address of a well-known one; null when there is none. */
async function writtenInterface(
  run: BuildRun,
  planned: PlannedCanister | undefined,
  aliasFile: string | null,
  folder: string,
): Promise<string | null> {
  const own = planned !== undefined && 'candid' in planned ? planned.candid : null;
  const candidates =
    aliasFile === null ? [own] : [posix.join(folder, aliasFile), posix.normalize(aliasFile), own];
  for (const path of candidates) {
    if (path !== null && isAddress(path)) return knownInterface(path);
    if (path === null || path.startsWith('../') || posix.isAbsolute(path)) continue;
    try {
      return (await readFromCheckout(run.folders.source, path, INTERFACE_LIMIT)).toString('utf8');
    } catch (error) {
      if (!(error instanceof BuildError)) throw error;
    }
  }
  return null;
}
