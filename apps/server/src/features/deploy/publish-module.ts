import type { Artifact } from '../../build/builder.ts';
import { BuildError, since } from '../../build/step-runner.ts';
import { AppError } from '../../errors.ts';
import { encodeArgument } from '../canister/encode-argument.ts';
import { installCode } from '../canister/install-code.ts';
import { metadataSection } from '../canister/wasm-sections.ts';
import { deployCanister } from './deploy-canister.ts';
import type { Publication } from './publish-site.ts';

type Module = Extract<Artifact, { kind: 'module' }>;

/** The install arguments, encoded. @throws BuildError that names the wanted types when the project gives none */
function argumentOf(module: Module): Uint8Array {
  try {
    return encodeArgument(module.wasm, module.initArg ?? undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const section = metadataSection(module.wasm, 'candid:args');
    const types = section === undefined ? '' : Buffer.from(section).toString('utf8').replaceAll(/\s+/g, ' ');
    if (module.initArg !== null) {
      throw new BuildError(`${error.message} The canister ${module.name} takes ${types}.`, { cause: error });
    }
    throw new BuildError(
      `The canister ${module.name} needs install arguments of type ${types}, and the project gives none. ` +
        'Add them as Candid text to its settings: "init_arg" in dfx.json, "init_args" in icp.yaml.',
      { cause: error },
    );
  }
}

/** Installs a module in the deploy's canister, or upgrades it, and answers the address of its Candid page. */
export async function publishModule(publication: Publication, module: Module): Promise<string> {
  const { ctx, user, deploy, signal, say } = publication;
  const arg = argumentOf(module);
  say('==> Installing');
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
  await installCode(ctx, user, { canisterId, wasm: module.wasm, arg, mode });
  say(`${mode === 'install' ? 'Installed' : 'Upgraded'} in ${since(start)}.`);
  return ctx.addresses.candidUrlPattern.replaceAll('{canisterId}', canisterId);
}
