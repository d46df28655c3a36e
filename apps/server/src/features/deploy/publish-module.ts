import { CandidError } from '@cannery/candid';
import type { Artifact } from '../../build/builder.ts';
import { BuildError, since } from '../../build/step-runner.ts';
import { onCandid } from '../../candid/candid-thread.ts';
import { installCode } from '../canister/install-code.ts';
import { deployCanister } from './deploy-canister.ts';
import type { Publication } from './publish-site.ts';

type Module = Extract<Artifact, { kind: 'module' }>;

/** Characters of the types that a message shows. */
const TYPES_SHOWN = 1_000;

/**
 * The install arguments, encoded for the types of the module's full interface.
 * @throws BuildError that names the wanted types when the project gives none, or others
 */
async function argumentOf(module: Module): Promise<Uint8Array> {
  try {
    return await onCandid('encodeInit', module.candid, module.initArg ?? '');
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    const types = await onCandid('initTypes', module.candid).catch(() => 'unknown');
    const wanted = `The canister ${module.name} needs install arguments of type ${types.slice(0, TYPES_SHOWN)}`;
    if (module.initArg !== null) {
      throw new BuildError(`${wanted}; those of the project do not fit: ${error.message}.`, { cause: error });
    }
    throw new BuildError(
      `${wanted}, and the project gives none. ` +
        'Add them as Candid text to its settings: "init_arg" in dfx.json, "init_args" in icp.yaml.',
      { cause: error },
    );
  }
}

/** Installs a module in the deploy's canister, or upgrades it, and answers the address of its Candid page. */
export async function publishModule(publication: Publication, module: Module): Promise<string> {
  const { ctx, user, deploy, signal, say } = publication;
  const arg = await argumentOf(module);
  say('==> Installing', 'publish');
  const canisterId = await deployCanister(ctx, user, deploy, say);
  signal.throwIfAborted();
  const installed = await ctx.ic.moduleHash(canisterId);
  const mode = installed === null ? 'install' : 'upgrade';
  say(
    mode === 'install'
      ? `Installing ${module.name} in ${canisterId}`
      : `Upgrading ${canisterId}; its data stays`,
  );
  const start = Date.now();
  const cause = `By the deploy '${deploy.name}'.`;
  await installCode(ctx, user, { canisterId, wasm: module.wasm, arg, mode, cause });
  say(`${mode === 'install' ? 'Installed' : 'Upgraded'} in ${since(start)}.`);
  return ctx.addresses.candidUrlPattern.replaceAll('{canisterId}', canisterId);
}
