import { isAddress } from '../project/dfx-settings.ts';
import type { ModuleCanister, PlannedCanister } from '../project/plan.ts';
import { MODULE_LIMIT, readFromCheckout } from '../source/safe-files.ts';
import type { BuildInput } from '../builder.ts';
import { type BuildRun, runStep } from '../step/step-runner.ts';
import { BuildError } from '../build-error.ts';

/** Seconds that one module may take. */
const SECONDS = 120;

/** Fetches a file by its address and writes it; it runs in the sandbox, which has no way out but the filtering one. */
const SCRIPT = `
const [address, file, seconds] = process.argv.slice(1);
const { createWriteStream } = await import('node:fs');
const { pipeline } = await import('node:stream/promises');
try {
  const answer = await fetch(address, { signal: AbortSignal.timeout(seconds * 1000) });
  if (!answer.ok) throw new Error('The answer is ' + answer.status + '.');
  await pipeline(answer.body, createWriteStream(file));
} catch (error) {
  // The way out has told already which host cannot be reached.
  if (error.message !== 'fetch failed') console.error(error.message);
  process.exitCode = 1;
}
`;

/** What became of the modules that a project names by address. */
export interface FetchedModules {
  readonly fetched: ReadonlyMap<string, Uint8Array>;
  /** The canisters, with those left out whose module could not be fetched. */
  readonly canisters: readonly PlannedCanister[];
}

/**
 * Fetches the modules that a project names by address, such as a ledger, through the build's way out. One that cannot be
 * had is left out with a line in the log: the rest of a project works without it more often than not.
 */
export async function fetchModules(
  run: BuildRun,
  input: BuildInput,
  canisters: readonly PlannedCanister[],
): Promise<FetchedModules> {
  const wanted = canisters.filter(isElsewhere);
  const fetched = new Map<string, Uint8Array>();
  if (wanted.length === 0) return { fetched, canisters };
  run.say('==> Fetching modules');
  const way = await input.openWay(run.say);
  try {
    for (const { name, wasm } of wanted) {
      const module = await fetchModule(run, name, wasm, way.address);
      if (module !== null) fetched.set(name, module);
    }
  } finally {
    await way.close();
  }
  const left = canisters.map((canister): PlannedCanister => {
    if (!isElsewhere(canister) || fetched.has(canister.name)) return canister;
    const { kind: _, commands: __, wasm, sha256: ___, ...common } = canister;
    const reason = `${wasm} could not be fetched; commit the file and name its path`;
    return { ...common, kind: 'left', type: 'module', reason, id: null };
  });
  return { fetched, canisters: left };
}

function isElsewhere(canister: PlannedCanister): canister is ModuleCanister & { readonly wasm: string } {
  return canister.kind === 'module' && canister.wasm !== null && isAddress(canister.wasm);
}

async function fetchModule(
  run: BuildRun,
  name: string,
  address: string,
  way: string,
): Promise<Uint8Array | null> {
  run.say(`Fetching ${address}`);
  const file = `${name}.fetched`;
  const home = run.sandbox.seen.home(run.folders);
  const exitCode = await runStep(run, {
    argv: ['node', '--input-type=module', '-e', SCRIPT, address, `${home}/${file}`, String(SECONDS)],
    way,
    env: { NODE_USE_ENV_PROXY: '1' },
  });
  if (exitCode !== 0) return null;
  try {
    return await readFromCheckout(run.folders.home, file, MODULE_LIMIT);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    run.say(error.message);
    return null;
  }
}
