import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { findRegistry } from '../../registry/store.ts';
import { createCanister } from './create-canister.ts';
import { encodeArgument } from '../code/encode-argument.ts';
import { installCode, uploadedModule } from '../code/install-code.ts';
import { findCanister } from '../core/store.ts';
import { unpackWasm } from '../code/unpack-wasm.ts';

/**
 * Creates a canister and installs the newest module of a registry in it. What would keep the module from being
 * installed is found before anything is paid, as far as it can be known: a module that needs arguments is refused.
 * @param input.key as for `createCanister`; a request sent again also installs what the first one could not any more
 * @throws AppError as `createCanister` and `installCode`; not_found, also for somebody else's registry
 */
export async function createWithRegistry(
  ctx: AppContext,
  user: Actor,
  { name, key, registryId }: { name?: string; key?: string; registryId: string },
): Promise<{ id: string }> {
  const { identifier, name: registryName, version } = await findRegistry(ctx.db, user.id, registryId);
  const wasm = await uploadedModule(ctx, user, identifier);
  const arg = await encodeArgument(await unpackWasm(wasm), undefined);
  const { id } = await createCanister(ctx, user, { name, key });
  const { module_hash: installed } = await findCanister(ctx.db, user.id, id);
  if (installed !== null) return { id };
  try {
    const origin = { kind: 'registry', registryId, name: registryName, version } as const;
    await installCode(ctx, user, { canisterId: id, wasm, arg, mode: 'install', origin });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.code,
      `The canister ${id} is created and empty: the module was not installed. ${error.message}`,
      { detail: error.detail, cause: error },
    );
  }
  return { id };
}
