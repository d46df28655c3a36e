import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError } from '../build-error.ts';
import type { BuiltModule } from '../builder.ts';
import { knownInterface } from '../motoko/known-interfaces.ts';
import { isAddress } from '../project/dfx-settings.ts';
import type { RustCanister } from '../project/plan.ts';
import type { ProgramFolder } from '../sandbox/sandbox.ts';
import { sizeText } from '../site/amount-text.ts';
import { INTERFACE_LIMIT, MODULE_LIMIT, readFromCheckout } from '../source/safe-files.ts';
import { type BuildRun, runStep } from '../step/step-runner.ts';

/** The engine of the network, which steps see read-only: a module of a tenant runs in the sandbox only. */
const ENGINE: ProgramFolder = {
  disk: fileURLToPath(new URL('../../../../../packages/wasm/src', import.meta.url)),
  bin: '.',
};

/** The interface that the project declares for a canister; null where it declares none, or none that is there. */
async function declaredInterface(run: BuildRun, { name, candid }: RustCanister): Promise<string | null> {
  if (candid === null) return null;
  if (isAddress(candid)) return knownInterface(candid);
  const found = await run.folders.source.read(candid, INTERFACE_LIMIT, { links: true });
  if (typeof found !== 'string') return found.toString('utf8');
  if (found !== 'none')
    return (await readFromCheckout(run.folders.source, candid, INTERFACE_LIMIT)).toString();
  run.say(`${candid}, the interface of ${name}, is not in the repository; the module is asked for it.`);
  return null;
}

/** Path of the module that cargo has written, in the home of the steps. @throws BuildError when there is none */
async function moduleOf(run: BuildRun, canister: RustCanister, folder: string): Promise<string> {
  const { home } = run.folders;
  const names = [canister.crate ?? canister.package, canister.package];
  // Libraries have their name with '_', programs as it is.
  const files = new Set(names.flatMap((name) => [`${name.replaceAll('-', '_')}.wasm`, `${name}.wasm`]));
  for (const file of files) {
    const path = posix.join(folder, file);
    if ((await home.kindOf(path)) === 'file') return path;
  }
  throw new BuildError(
    `cargo has written no module for ${canister.name} (${[...files].join(' or ')}). Write crate-type = ["cdylib"] under [lib] in the Cargo.toml of ${canister.package}, or name its file by "crate" in dfx.json, push, and deploy again.`,
  );
}

/**
 * Takes out of a module what no canister needs, and gives it its interface: the declared one, else what the module tells.
 * @param folder of the modules that cargo has written, in the home of the steps
 * @throws BuildError when there is none, or the network would not take it
 */
export async function finishModule(
  run: BuildRun,
  canister: RustCanister,
  folder: string,
): Promise<BuiltModule> {
  const { name, argument } = canister;
  const { home } = run.folders;
  const path = await moduleOf(run, canister, folder);
  const declared = await declaredInterface(run, canister);
  const [finished, candid] = [`${name}.finished.wasm`, `${name}.finished.did`];
  for (const file of [finished, candid]) await home.remove(file);
  if (declared !== null) await home.write(candid, declared);
  const at = run.sandbox.seen.home(run.folders);
  const program = posix.join(run.sandbox.seen.program(ENGINE, 0), 'finish', 'main.ts');
  const argv = ['node', program, ...[path, finished, candid].map((file) => posix.join(at, file))];
  let reason = '';
  const exitCode = await runStep(run, {
    argv,
    way: null,
    programs: [ENGINE],
    watch: (line) => {
      reason = /^error: (.{1,300})/.exec(line)?.[1] ?? reason;
    },
  });
  if (exitCode !== 0)
    throw new BuildError(`The module of ${name} is none that the network takes. ${reason}`.trim());
  const wasm = await readFromCheckout(home, finished, MODULE_LIMIT);
  const told = declared ?? (await toldInterface(run, candid));
  const hash = createHash('sha256').update(wasm).digest('hex');
  run.say(`${name}: ${sizeText(wasm.length)} of WebAssembly, SHA-256 ${hash.slice(0, 16)}.`);
  if (told === null)
    run.say(
      `The interface of ${name} is not known: name a .did file in the settings of the project, or write ic_cdk::export_candid!() at the end of its lib.rs.`,
    );
  return { kind: 'module', wasm, candid: told, argument };
}

async function toldInterface(run: BuildRun, path: string): Promise<string | null> {
  const { home } = run.folders;
  if ((await home.kindOf(path)) !== 'file') return null;
  return (await readFromCheckout(home, path, INTERFACE_LIMIT)).toString('utf8');
}
