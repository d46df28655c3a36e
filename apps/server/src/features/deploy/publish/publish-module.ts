import { createHash } from 'node:crypto';
import { CandidError } from '@cannery/candid';
import type { BuiltModule } from '../../../builders/builder.ts';
import { since } from '../../../builders/step/step-runner.ts';
import { BuildError } from '../../../builders/build-error.ts';
import { onCandid } from '../../../candid/candid-thread.ts';
import { checkedArgument, encodeArgument } from '../../canister/code/encode-argument.ts';
import { installCode } from '../../canister/code/install-code.ts';
import { unpackWasm } from '../../canister/code/unpack-wasm.ts';
import { originOfRun, type Publication } from './publish-site.ts';
import { upgradeGuarded } from './upgrade-guarded.ts';

/** Characters of the types that a message shows. */
const TYPES_SHOWN = 1_000;

/** A module for a canister of the deploy. */
export interface NamedModule {
  readonly name: string;
  readonly module: BuiltModule;
}

/**
 * The install arguments, encoded for the types of the module.
 * @throws BuildError that names the wanted types when the project gives none, or others
 */
export async function argumentOf({ name, module }: NamedModule): Promise<Uint8Array> {
  const { argument, candid, wasm } = module;
  if (argument?.kind === 'hex') {
    if (!/^(?:[0-9a-f]{2})+$/i.test(argument.hex))
      throw new BuildError(`The install arguments of ${name} are not hex.`);
    return checkedArgument(await unpackWasm(wasm), Buffer.from(argument.hex, 'hex'));
  }
  if (candid === null) return encodeArgument(await unpackWasm(wasm), argument?.text);
  try {
    return await onCandid('encodeInit', candid, argument?.text ?? '');
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    const types = await onCandid('initTypes', candid).catch(() => 'unknown');
    const wanted = `The canister ${name} needs install arguments of type ${types.slice(0, TYPES_SHOWN)}`;
    if (argument !== null) {
      throw new BuildError(`${wanted}; those given do not fit: ${error.message}.`, { cause: error });
    }
    throw new BuildError(
      `${wanted}, and the project gives none. ` +
        'Add them as Candid text to the settings of the deploy, or to the project: "init_arg" in dfx.json, "init_args" in icp.yaml.',
      { cause: error },
    );
  }
}

/** A module that was published, and what it can go back to: nothing where it is the first one or no snapshot was taken. */
export interface PublishedModule {
  readonly address: string;
  readonly wayBack: 'snapshot' | 'none' | 'new';
}

/** Installs a module in a canister of the deploy, or upgrades it; the address is that of its Candid page. */
export async function publishModule(
  publication: Publication,
  { canisterId, name, wasm, arg }: { canisterId: string; name: string; wasm: Uint8Array; arg: Uint8Array },
): Promise<PublishedModule> {
  const { ctx, user, deploy, signal, say } = publication;
  signal.throwIfAborted();
  const installed = await ctx.ic.moduleHash(canisterId);
  say(installed === null ? `Installing ${name} in ${canisterId}` : `Upgrading ${canisterId}; its data stays`);
  const start = performance.now();
  const address = ctx.addresses.candidUrlPattern.replaceAll('{canisterId}', canisterId);
  let canReturn = false;
  if (installed !== null && deploy.settings.snapshots !== 'off') {
    const hash = createHash('sha256').update(wasm).digest('hex');
    canReturn = await upgradeGuarded(publication, { canisterId, name, wasm, arg, hash, installed });
  } else {
    const mode = installed === null ? 'install' : 'upgrade';
    const cause = `By the deploy '${deploy.name}'.`;
    const origin = await originOfRun(publication);
    await installCode(ctx, user, { canisterId, wasm, arg, mode, origin, cause });
  }
  say(`${installed === null ? 'Installed' : 'Upgraded'} in ${since(start)}.`);
  if (installed === null) return { address, wayBack: 'new' };
  return { address, wayBack: canReturn ? 'snapshot' : 'none' };
}
