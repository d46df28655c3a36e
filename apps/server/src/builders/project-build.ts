import type { Artifact, Builder, BuildInput, BuiltCanister, DeployCanisters } from './builder.ts';
import { withCommandSteps } from './commands/command-steps.ts';
import { collectModule, collectSite, type ModuleWork } from './custom/collect.ts';
import { expectFiles } from './custom/expect-files.ts';
import { fetchModules } from './custom/fetch-modules.ts';
import { interfacePaths, projectEnvironment } from './custom/project-environment.ts';
import { writeProjectFiles } from './custom/write-project-files.ts';
import { writeTools } from './custom/write-tools.ts';
import { CompileError } from './motoko/compile.ts';
import { compileCanisters } from './compile-canisters.ts';
import { ProjectFileError } from './source/project-file-error.ts';
import { OUTSIDE } from './source/project-files.ts';
import { provideMotokoPackages } from './packages/fetched/provide-packages.ts';
import { type CanisterChoice, chooseCanisters } from './project/choose-canisters.ts';
import { checkLeftOut, type LeftOutCanister, leftOutOf, rustLeftOut, typeText } from './project/left-out.ts';
import type { LeftCanister, PlannedCanister } from './project/plan.ts';
import { readPlanInThread } from './project/plan-thread.ts';
import { type ReadPlan, SOURCES_LIMIT } from './project/read-plan.ts';
import { rustProblem } from './sandbox/rust-toolchain.ts';
import { withRustSteps } from './rust/rust-steps.ts';
import { type BuildRun } from './step/step-runner.ts';
import { BuildError } from './build-error.ts';

/** How many names of a kind the log is told. */
const NAMED = 30;

type Deployed = Exclude<PlannedCanister, LeftCanister>;

/** Builds the Motoko canisters of a project, and nothing else. */
export const buildMotoko: Builder = (whole, input) =>
  explained(input, async () => {
    const run = await within(whole, input);
    await provideMotokoPackages(run, input);
    const plan = await planOf(run, input);
    const { canisters } = plan.project;
    const motoko = canisters.filter((one) => one.kind === 'motoko');
    const others = canisters.filter((one) => one.kind !== 'motoko');
    if (motoko.length === 0) {
      throw new ProjectFileError(
        `${plan.project.settings ?? 'The repository'} has no Motoko canister, only ${few(others.map(named))}. Deploy it with the type CUSTOM.`,
      );
    }
    if (others.length > 0) run.say(`Not deployed by the type MOTOKO: ${few(others.map(named))}.`);
    sayRemarks(run, plan);
    const { order, ...choice } = chooseCanisters(motoko, input.part, 'Motoko canister');
    const left = leftOut(input, order, choice, others);
    await expectFiles(run, { plan, order, limits: input.siteLimits });
    const open = await openPublished(run, input, choice);
    const { built, failed } = await compileCanisters(run, {
      plan,
      order,
      open,
      deployed: namesThatGetIds(choice, open),
      kept: input.keptModules,
      sources: await sourcesOf(run, plan),
      mayLeaveOut: input.part === null,
    });
    const uncompiled = failed.map((one) => ({ ...one, type: 'Motoko', neededBy: null }));
    return { canisters: publishedOf(built, choice), left: [...uncompiled, ...left] };
  });

/** Builds everything a project of several canisters is made of: Motoko, modules and websites. */
export const buildCustom: Builder = (whole, input) =>
  explained(input, async () => {
    const run = await within(whole, input);
    const packageSources = await provideMotokoPackages(run, input);
    const read = await planOf(run, input);
    const { fetched, canisters } = await fetchModules(run, input, read.project.canisters);
    const plan = { ...read, project: { ...read.project, canisters } };
    const { order, ...choice } = chooseCanisters(
      canisters.filter((one) => one.kind !== 'left'),
      input.part,
      'canister',
    );
    const notDeployed = canisters.filter((one) => one.kind === 'left');
    sayNotDeployed(run, notDeployed);
    if (order.length === 0) {
      throw new ProjectFileError(
        `${plan.project.settings ?? 'The project'} has no canister that can be deployed here. ${few(notDeployed.map(({ name, reason }) => `${name}: ${reason}`))}.`,
      );
    }
    run.say(`Canisters: ${few(order.map(named))}.`);
    sayRemarks(run, plan);
    const left = leftOut(input, order, choice, notDeployed);
    await expectFiles(run, { plan, order, fetched, limits: input.siteLimits });
    const open = await openPublished(run, input, choice);
    const motoko = order.filter((one) => one.kind === 'motoko');
    const deployed = namesThatGetIds(choice, open);
    const { built, interfaces } = await compileCanisters(run, {
      plan,
      order: motoko,
      open,
      deployed,
      kept: input.keptModules,
      sources: await sourcesOf(run, plan),
      mayLeaveOut: false,
    });
    const rest = order.filter((one) => one.kind !== 'motoko');
    const others = await runCommands(run, input, {
      plan,
      order: rest,
      open,
      deployed,
      interfaces,
      fetched,
      packageSources,
    });
    return { canisters: inOrder(order, [...publishedOf(built, choice), ...others]), left };
  });

type Choice = Omit<CanisterChoice, 'order'>;

/** The canisters of the deploy; only those that are filled are created. */
function openPublished(
  run: BuildRun,
  { openCanisters, part }: BuildInput,
  choice: Choice,
): Promise<DeployCanisters> {
  const { published, added } = choice;
  const names = [...published];
  if (part !== null) run.say(`Only a part of the project is deployed: ${few(part.canisters)}.`);
  if (added.length > 0) run.say(`Also deployed, as needed and not live yet: ${few(added)}.`);
  return openCanisters(names);
}

/** Names of the canisters that have an id or get one. */
function namesThatGetIds({ published, staying }: Choice, { existing }: DeployCanisters): Set<string> {
  return new Set([...published, ...staying.filter((name) => existing.has(name))]);
}

function publishedOf(built: readonly BuiltCanister[], { published }: Choice): BuiltCanister[] {
  return built.filter(({ name }) => name !== null && published.has(name));
}

/** The run with the root directory in place of the checkout: a project sees nothing above it. */
async function within(run: BuildRun, { rootDirectory }: BuildInput): Promise<BuildRun> {
  if (rootDirectory === '') return run;
  const { source, project } = run.folders;
  if (!(await source.moveContents(rootDirectory, project)))
    throw new BuildError(`The root directory '${rootDirectory}' is not a folder.`);
  return { ...run, folders: { ...run.folders, source: project } };
}

/** The plan of the project, with the install arguments of the deploy's settings in it. */
async function planOf(run: BuildRun, input: BuildInput): Promise<ReadPlan> {
  const read = await readPlanInThread(run.folders.source, { network: input.network }, run.signal);
  const noRust = rustProblem(input.rust);
  const canisters = read.project.canisters.map((given): PlannedCanister => {
    const canister = given.kind === 'rust' && noRust !== null ? rustLeftOut(given, noRust) : given;
    const text = input.installArguments.get(canister.name);
    return text === undefined ? canister : { ...canister, argument: { kind: 'text', text } };
  });
  return { ...read, project: { ...read.project, canisters } };
}

/** What is compiled, by its paths. */
async function sourcesOf({ folders }: BuildRun, { sources }: ReadPlan): Promise<Map<string, Uint8Array>> {
  const found = await folders.source.readAll(sources, SOURCES_LIMIT);
  return new Map(sources.map((path, index): [string, Uint8Array] => [path, found[index] ?? Buffer.alloc(0)]));
}

/** Modules before websites, and each after what it needs. */
function inOrder(order: readonly Deployed[], built: readonly BuiltCanister[]): BuiltCanister[] {
  const byName = new Map(built.map((one) => [one.name, one]));
  const all = order.map(({ name }) => byName.get(name)).filter((one) => one !== undefined);
  return [
    ...all.filter(({ content }) => content.kind === 'module'),
    ...all.filter(({ content }) => content.kind === 'site'),
  ];
}

interface CommandPlan {
  readonly plan: ReadPlan;
  readonly order: readonly Deployed[];
  readonly open: DeployCanisters;
  /** Names of the canisters that have an id or get one. */
  readonly deployed: ReadonlySet<string>;
  readonly interfaces: ReadonlyMap<string, string>;
  readonly fetched: ReadonlyMap<string, Uint8Array>;
  /** What `mops sources` answers. */
  readonly packageSources: string;
}

async function runCommands(
  run: BuildRun,
  input: BuildInput,
  { plan, order, open, deployed, interfaces, fetched, packageSources }: CommandPlan,
): Promise<BuiltCanister[]> {
  if (order.length === 0) return [];
  const { project } = plan;
  const ids = new Map<string, string>();
  for (const canister of project.canisters) {
    const { name } = canister;
    const own = deployed.has(name) ? await open.idOf(name) : null;
    const id = canister.kind === 'left' ? canister.id : own;
    if (id !== null) ids.set(canister.name, id);
  }
  const env = projectEnvironment(ids, input.network);
  await run.sandbox.prepare(run.folders);
  await writeTools(run.folders, packageSources);
  const known = { ids, env, network: input.network };
  await writeProjectFiles(run, project, { ...known, interfaces });
  const compiled = await compileRust(run, input, { plan, order, ids, env });
  if (compiled.length > 0)
    await writeProjectFiles(run, project, { ...known, interfaces: interfacesOf(compiled) });
  return withCommandSteps(run, input, async (steps) => {
    const built = [...compiled];
    const ran = new Set<string>();
    const modulesFirst = [
      ...order.filter(({ kind }) => kind === 'module'),
      ...order.filter(({ kind }) => kind === 'site'),
    ];
    for (const canister of modulesFirst) {
      const own = { ...env, CANISTER_ID: ids.get(canister.name) ?? '' };
      built.push(await buildOne(run, input, canister, { steps, env: own, fetched, ran }));
    }
    return built;
  });
}

interface RustPlan extends Pick<CommandPlan, 'plan' | 'order'> {
  readonly ids: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string>>;
}

/** Compiles the Rust canisters of a project, before commands of it run: websites read their interfaces. */
async function compileRust(
  run: BuildRun,
  input: BuildInput,
  { plan, order, ids, env }: RustPlan,
): Promise<BuiltCanister[]> {
  const rust = order.filter((one) => one.kind === 'rust');
  if (rust.length === 0) return [];
  const paths = interfacePaths(run, plan.project.canisters, input.network);
  return withRustSteps(run, input, async (steps) => {
    const built: BuiltCanister[] = [];
    for (const canister of rust) {
      const { name, settings } = canister;
      const own = { ...env, ...paths, CANISTER_ID: ids.get(name) ?? '' };
      built.push({ name, settings, content: await steps.build(canister, own) });
    }
    return built;
  });
}

function interfacesOf(built: readonly BuiltCanister[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, content } of built)
    if (name !== null && content.kind === 'module' && content.candid !== null)
      found.set(name, content.candid);
  return found;
}

interface CommandWork extends ModuleWork {
  /** Commands that have run: two websites of one build do not run it twice. */
  readonly ran: Set<string>;
}

async function buildOne(
  run: BuildRun,
  input: BuildInput,
  canister: Deployed,
  { ran, ...work }: CommandWork,
): Promise<BuiltCanister> {
  const { name, settings } = canister;
  if (canister.kind === 'site') {
    for (const command of canister.commands) {
      const key = `${canister.folder}\n${command}`;
      if (!ran.has(key)) await work.steps.run({ command, folder: canister.folder, env: work.env });
      ran.add(key);
    }
    return { name, settings, content: await collectSite(run, canister, input) };
  }
  if (canister.kind === 'module') {
    return { name, settings, content: await collectModule(run, canister, work) };
  }
  throw new BuildError(`${name} is compiled before the commands of the project run.`);
}

function named(canister: PlannedCanister): string {
  return `${canister.name} (${typeText(canister)})`;
}

/**
 * What the run leaves out; of a part of the project only what that part needs.
 * @throws LeftOutError when what is deployed needs it, and the settings of the deploy do not allow that
 */
function leftOut(
  { part, deployWithout }: BuildInput,
  order: readonly Deployed[],
  { published }: Choice,
  others: readonly PlannedCanister[],
): LeftOutCanister[] {
  const deployed = order.filter(({ name }) => published.has(name));
  const all = leftOutOf(deployed, others);
  const left = part === null ? all : all.filter(({ neededBy }) => neededBy !== null);
  return checkLeftOut(left, { deployed: deployed.length, agreed: deployWithout });
}

/** Says what is not deployed, each reason once. */
function sayNotDeployed(run: BuildRun, canisters: readonly LeftCanister[]): void {
  const byReason = Map.groupBy(canisters, ({ reason }) => reason);
  for (const [reason, some] of byReason) run.say(`Not deployed: ${few(some.map(named))}, since ${reason}.`);
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

function sayRemarks(run: BuildRun, { project }: ReadPlan): void {
  for (const remark of project.remarks.slice(0, NAMED)) run.say(remark);
}

/** Errors of reading and compiling as the last line of a log. */
async function explained(
  { rootDirectory }: Pick<BuildInput, 'rootDirectory'>,
  work: () => Promise<Artifact>,
): Promise<Artifact> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProjectFileError) {
      const isAbove = rootDirectory !== '' && error.message.endsWith(OUTSIDE);
      const hint = ` The root directory '${rootDirectory}' counts as the repository; choose one above it.`;
      throw new BuildError(`${error.message}${isAbove ? hint : ''}`, { cause: error });
    }
    if (!(error instanceof CompileError)) throw error;
    const next = error.message.endsWith(' push.')
      ? 'Then deploy again.'
      : 'Correct what the log names, push, and deploy again.';
    throw new BuildError(`${error.message} ${next}`, { cause: error });
  }
}
