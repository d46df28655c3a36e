import { createHash } from 'node:crypto';
import { BuildError } from '../build-error.ts';
import type { BuildInput, BuiltModule, BuiltSite } from '../builder.ts';
import type { CommandSteps } from '../commands/command-steps.ts';
import { knownInterface } from '../motoko/known-interfaces.ts';
import { isAddress } from '../project/dfx-settings.ts';
import type { ModuleCanister, SiteCanister } from '../project/plan.ts';
import { otherHash } from './expect-files.ts';
import { filesText, sizeText } from '../site/amount-text.ts';
import { siteWarnings } from '../site/check-site.ts';
import { listSite, type PlacedFile } from '../site/publish-directory.ts';
import { INTERFACE_LIMIT, MODULE_LIMIT, readFromCheckout } from '../source/safe-files.ts';
import type { BuildRun } from '../step/step-runner.ts';

/** What a module is made with. */
export interface ModuleWork {
  readonly steps: CommandSteps;
  readonly env: Readonly<Record<string, string>>;
  /** Modules that were fetched, by the names of canisters. */
  readonly fetched: ReadonlyMap<string, Uint8Array>;
}

/**
 * Runs the commands that make the module of a canister, and reads it.
 * @throws BuildError when a command fails, or the module is not there or has another hash than the project says
 */
export async function collectModule(
  run: BuildRun,
  canister: ModuleCanister,
  { steps, env, fetched }: ModuleWork,
): Promise<BuiltModule> {
  const { name, folder, candid, argument } = canister;
  const output = `${name}.wasm`;
  const home = run.sandbox.seen.home(run.folders);
  for (const command of canister.commands) {
    await steps.run({ command, folder, env: { ...env, ICP_WASM_OUTPUT_PATH: `${home}/${output}` } });
  }
  const path = canister.wasm ?? output;
  const place = canister.wasm === null ? run.folders.home : run.folders.source;
  const wasm = fetched.get(name) ?? (await readFromCheckout(place, path, MODULE_LIMIT));
  const hash = createHash('sha256').update(wasm).digest('hex');
  if (canister.sha256 !== null && canister.sha256 !== hash) {
    throw new BuildError(otherHash({ name, path, hash, sha256: canister.sha256 }));
  }
  run.say(`${name}: ${path}, ${sizeText(wasm.length)}, SHA-256 ${hash.slice(0, 16)}.`);
  const text = candid === null ? null : await interfaceOf(run, candid);
  return { kind: 'module', wasm, candid: text, argument };
}

/** The interface of a module by its path, or by the address of a well-known one; null for any other address. */
async function interfaceOf(run: BuildRun, candid: string): Promise<string | null> {
  if (isAddress(candid)) return knownInterface(candid);
  return (await readFromCheckout(run.folders.source, candid, INTERFACE_LIMIT)).toString('utf8');
}

/**
 * The files of a website of a project: those of all its folders together. Of two with one name, that of the later folder
 * counts, as with dfx.
 * @throws BuildError when a folder is not there, or there is nothing to publish or too much
 */
export async function collectSite(
  run: BuildRun,
  canister: SiteCanister,
  { siteLimits, siteCheck, rootDirectory }: BuildInput,
): Promise<BuiltSite> {
  run.say(`==> Collecting ${canister.name}`);
  const files = new Map<string, PlacedFile>();
  for (const source of canister.sources) {
    const site = await listSite(run.folders.source, source, siteLimits);
    for (const { path, reason } of site.left) run.say(`Not published: ${source}/${path}, since ${reason}.`);
    for (const file of site.files) files.set(file.path, file);
  }
  const all = [...files.values()];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  run.say(
    `${filesText(all.length)}, ${sizeText(bytes)} in ${canister.sources.map((one) => `'${one}'`).join(', ')}.`,
  );
  const warnings = await siteWarnings(run, all, siteCheck, rootDirectory);
  return { kind: 'site', files: all, warnings };
}
