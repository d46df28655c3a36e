import { createHash } from 'node:crypto';
import type { InstallMode } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { ownsDocument } from '../document/store.ts';
import { encodeArgument } from './encode-argument.ts';
import { recordStatus } from './record-status.ts';
import { runAction } from './run-action.ts';
import type { CanisterRow } from './store.ts';

/** Set in the metadata of modules whose main memory has to be kept across upgrades (Motoko since moc 0.15). */
const KEEPS_MEMORY = 'enhanced-orthogonal-persistence';

export interface InstallInput {
  readonly canisterId: string;
  readonly wasm: Uint8Array;
  /** Candid-encoded. */
  readonly arg: Uint8Array;
  readonly mode: InstallMode;
}

/**
 * Installs a module in a canister of the user. Upgrades keep main memory by themselves where the installed module
 * needs it.
 * @throws AppError install_failed with the network's own reason
 */
export async function installCode(ctx: AppContext, user: Actor, input: InstallInput): Promise<CanisterRow> {
  return runAction(ctx, user, input.canisterId, async (canister) => {
    const keeps =
      input.mode === 'upgrade' && (await ctx.ic.metadata(canister.id, KEEPS_MEMORY)) !== undefined;
    await ctx.ic.installCode({ ...input, ...(keeps ? { wasmMemoryPersistence: 'keep' } : {}) });
    return recordStatus(ctx, user, canister.id, { moduleHash: hashOf(input.wasm) });
  });
}

/** The module hash is that of the bytes as sent, packed or not. */
function hashOf(wasm: Uint8Array): string {
  return createHash('sha256').update(wasm).digest('hex');
}

/**
 * Installs a module the user has uploaded.
 * @throws AppError not_found for an identifier that is not the user's, invalid_input for arguments that do not fit
 */
export async function installDocument(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; identifier: string; mode: InstallMode; argument: string | undefined },
): Promise<CanisterRow> {
  const { canisterId, identifier, mode } = input;
  if (!(await ownsDocument(ctx.db, { identifier, userId: user.id, kind: 'wasm' }))) {
    throw notFound('Uploaded file');
  }
  const wasm = await ctx.blobs.get(identifier).catch((error: unknown) => {
    throw new AppError('not_found', 'The uploaded file is not there any more. Upload it again.', {
      cause: error,
    });
  });
  return installCode(ctx, user, { canisterId, wasm, mode, arg: encodeArgument(wasm, input.argument) });
}
