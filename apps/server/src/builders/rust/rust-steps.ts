import { posix } from 'node:path';
import { CRATES_INDEX } from '../../config/env.ts';
import type { WayOut } from '../../egress/egress-proxy.ts';
import { BuildError } from '../build-error.ts';
import type { BuildInput, BuiltModule } from '../builder.ts';
import type { RustCanister } from '../project/plan.ts';
import { RUST_TARGET, type RustToolchain } from '../sandbox/rust-toolchain.ts';
import { CauseFinder, causeText } from '../step/failure-cause.ts';
import { type BuildRun, runStep, since, withPatience } from '../step/step-runner.ts';
import { askedToolchain, type CargoPlace, cargoPlace } from './cargo-workspace.ts';
import { type CargoPrograms, cargoPrograms } from './cargo-programs.ts';
import { finishModule } from './finish-module.ts';
import { type KeptCrates, keptCrates } from './kept-crates.ts';

/** The steps of a build that compile Rust. */
export interface RustSteps {
  /** Fetches the crates that a canister needs, compiles it, and makes its module ready. @throws BuildError when a step fails */
  build(canister: RustCanister, env: Readonly<Record<string, string>>): Promise<BuiltModule>;
}

/** A workspace that is ready to be compiled. */
interface Ready {
  readonly env: Readonly<Record<string, string>>;
  readonly kept: KeptCrates | null;
  /** Folder of what cargo writes, in the home of the steps. */
  readonly own: string;
}

const USUAL = 'Correct what the log names, push, and deploy again.';
const WHICH =
  'The log names the crate; check Cargo.toml and Cargo.lock, and that the index of crates can be reached.';

/** Words that start a command in a folder of the checkout. */
function within(folder: string, command: readonly string[]): string[] {
  return folder === '' ? [...command] : ['env', '-C', `./${folder}`, ...command];
}

/**
 * Work with steps that compile Rust; they share one way out, which is opened where crates have to be fetched. What they have fetched
 * and compiled is kept at the end, whatever the end is.
 */
export async function withRustSteps<T>(
  run: BuildRun,
  input: BuildInput,
  work: (steps: RustSteps) => Promise<T>,
): Promise<T> {
  const { rust } = input;
  if (rust === null) throw new BuildError('No Rust is compiled here.');
  const programs = cargoPrograms(run, rust);
  let opened: Promise<WayOut> | undefined;
  const way = async (): Promise<string> => (await (opened ??= input.openWay(run.say))).address;
  /** By folder: canisters of one workspace share its crates. */
  const ready = new Map<string, Ready>();
  const prepare = async (place: CargoPlace): Promise<Ready> => {
    const key = place.workspace ?? place.folder;
    const known = ready.get(key);
    if (known !== undefined) return known;
    const one = await readyWorkspace(run, input, { rust, programs, place, own: `cargo-${ready.size}` });
    ready.set(key, one);
    await fetchCrates(run, { programs, place, one, way });
    return one;
  };
  try {
    return await work({
      async build(canister, env) {
        const place = await cargoPlace(run, canister);
        const one = await prepare(place);
        run.say(`==> Compiling ${canister.name}`, 'build');
        const start = performance.now();
        const wayOut = input.commandHasNetwork ? await way() : null;
        await compile(run, canister, { programs, place, one, env: { ...env, ...one.env }, wayOut });
        run.say(`Compiled ${canister.name} in ${since(start)}.`);
        return finishModule(run, canister, posix.join(one.own, 'target', RUST_TARGET, 'release'));
      },
    });
  } finally {
    await (await opened?.catch(() => undefined))?.close();
    for (const { kept } of ready.values()) await kept?.save().catch(notKept);
  }
}

/** Without it the next run fetches and compiles the crates again; that is no reason for this one to fail. */
function notKept(error: unknown): void {
  if (!(error instanceof BuildError)) throw error;
}

/** Puts what an earlier build has left where cargo finds it, and writes the operator's settings. */
async function readyWorkspace(
  run: BuildRun,
  input: BuildInput,
  given: { rust: RustToolchain; programs: CargoPrograms; place: CargoPlace; own: string },
): Promise<Ready> {
  const { rust, programs, place, own } = given;
  const asked = await askedToolchain(run, place);
  if (asked !== null)
    run.say(`rust-toolchain asks for ${asked}; the Rust ${rust.version} of this server compiles it.`);
  const kept = await keptCrates(run, {
    workspace: place.workspace,
    place: own,
    rust,
    deploy: input.deployId,
  });
  if ((await kept?.restore()) === true)
    run.say('Crates and what was compiled of them are those of an earlier run with the same Cargo.lock.');
  if (place.workspace === null)
    run.say(
      'There is no Cargo.lock, so cargo takes the newest crates that fit. Commit it to get the same each time.',
    );
  const settings = posix.join(own, 'home', 'config.toml');
  await run.folders.home.write(settings, operatorSettings(input.cratesIndex));
  await run.folders.home.makeParents(posix.join(own, 'target', 'x'));
  const home = run.sandbox.seen.home(run.folders);
  const env = {
    ...programs.env,
    CARGO_HOME: `${home}/${own}/home`,
    CARGO_TARGET_DIR: `${home}/${own}/target`,
  };
  return { env, kept, own };
}

/** Where crates of crates.io come from, unless the project has them elsewhere: settings of a project count more than these. */
function operatorSettings(index: string): string {
  if (index === CRATES_INDEX) return '';
  const name = 'operator';
  return `[source.crates-io]\nreplace-with = "${name}"\n\n[source.${name}]\nregistry = "sparse+${encodeURI(index)}/"\n`;
}

interface CargoStep {
  readonly programs: CargoPrograms;
  readonly place: CargoPlace;
  readonly one: Ready;
}

/**
 * Has cargo fetch the crates of a workspace, and compile nothing; where all of them are there already, committed or kept, it gets no
 * way out. A project's settings of cargo may name programs for credentials: as install scripts do, they reach listed hosts only.
 */
async function fetchCrates(
  run: BuildRun,
  { programs, place, one, way }: CargoStep & { way: () => Promise<string> },
): Promise<void> {
  const { env } = one;
  const locked = place.workspace === null ? [] : ['--locked'];
  const step = (more: readonly string[]) => ({
    argv: within(place.folder, [...programs.cargo, 'fetch', ...locked, ...more]),
    env,
    programs: programs.programs,
  });
  const silent = { ...run, onLine: () => undefined };
  if ((await runStep(silent, { ...step(['--offline']), way: null })) === 0) return;
  run.say('==> Fetching crates', 'packages');
  run.say(`$ ${['cargo', 'fetch', ...locked].join(' ')}${placeText(place)}`);
  const start = performance.now();
  const causes = new CauseFinder();
  const watch = (line: string): void => causes.see(line);
  const address = await way();
  const exitCode = await withPatience(run, 'Still fetching crates', (patient) =>
    runStep(patient, { ...step([]), way: address, watch }),
  );
  if (exitCode !== 0)
    throw new BuildError(
      `Fetching the crates failed with exit code ${exitCode}.${causeText(causes.cause(exitCode, true), WHICH)}`,
    );
  run.say(`Crates are ready after ${since(start)}.`);
}

function placeText({ folder }: CargoPlace): string {
  return folder === '' ? '' : `   (in ${folder})`;
}

interface Compilation extends CargoStep {
  readonly env: Readonly<Record<string, string>>;
  readonly wayOut: string | null;
}

/**
 * Compiles the package of a canister, offline. Build scripts of the project and of its crates run in this step, in the sandbox. The
 * variables of the settings are not given to it: cargo writes values that it has read beside what is kept, and a module is public.
 */
async function compile(
  run: BuildRun,
  canister: RustCanister,
  { programs, place, env, wayOut }: Compilation,
): Promise<void> {
  const words = ['build', '--locked', '--release', '--target', RUST_TARGET, '-p', canister.package];
  run.say(`$ ${['cargo', ...words].join(' ')}${placeText(place)}`);
  const causes = new CauseFinder();
  const exitCode = await withPatience(run, `Still compiling ${canister.name}`, (patient) =>
    runStep(patient, {
      argv: within(place.folder, [...programs.cargo, ...words, '--offline']),
      env,
      programs: programs.programs,
      way: wayOut,
      watch: (line) => causes.see(line),
    }),
  );
  if (exitCode === 0) return;
  const end = causeText(causes.cause(exitCode, wayOut !== null), USUAL);
  throw new BuildError(`Compiling ${canister.name} failed with exit code ${exitCode}.${end}`);
}
